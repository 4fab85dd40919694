"""`tf.contrib.saved_model.get_signature_def_by_key` finds signatures as until TensorFlow 1.12."""

import pytest

import tinytf as tf


def test_signatures_by_name(tmp_path):
    x = tf.placeholder(tf.float32, [], name="x")
    with tf.Session() as session:
        tf.saved_model.simple_save(session, str(tmp_path / "model"), inputs={"x": x}, outputs={"y": x + 1})
        model = tf.saved_model.load(session, [tf.saved_model.SERVING], str(tmp_path / "model"))
    find = tf.contrib.saved_model.get_signature_def_by_key
    assert find(model, "serving_default").inputs["x"].name == "x:0"
    with pytest.raises(ValueError, match=r"^No SignatureDef with key 'other' found in MetaGraphDef\.$"):
        find(model, signature_def_key="other")
    assert list(model.signature_def) == ["serving_default"]


def test_predictors_of_signatures_that_are_not_there(tmp_path, caplog):
    from tinytf.contrib import predictor

    folder = str(tmp_path / "model")
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [2], name="x")
        signature = tf.saved_model.predict_signature_def({"x": x}, {"y": x * 2.0})
        builder = tf.saved_model.Builder(folder)
        builder.add_meta_graph_and_variables(sess, ["serve"], {"default_input_alternative:serving_default": signature})
        builder.save()
    found = predictor.from_saved_model(folder)  # the signature name of early estimators
    with found.session:
        assert found({"x": [1.0, 2.0]})["y"].tolist() == [2, 4]
    assert 'Could not find signature def "serving_default"' in caplog.text
    with pytest.raises(ValueError, match='Got signature_def_key "nope". Available signatures are'):
        predictor.from_saved_model(folder, "nope")
