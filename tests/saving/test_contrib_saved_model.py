"""`tf.contrib.saved_model.get_signature_def_by_key` finds signatures, as until TensorFlow 1.12."""

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
