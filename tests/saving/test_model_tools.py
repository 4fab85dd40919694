"""The command line for models, and graph transformations for inference."""

import numpy as np
import pytest

import tinytf as tf
from tinytf.__main__ import main
from tinytf.python.tools import optimize_for_inference_lib, strip_unused_lib


@pytest.fixture
def model(tmp_path):
    """The folder of a model with y = 2 x, and the sum of x."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y, s = tf.multiply(x, 2.0, name="y"), tf.reduce_sum(x, name="s")
    with tf.Session() as sess:
        tf.saved_model.simple_save(sess, f"{tmp_path}/m", {"x": x}, {"y": y, "s": s})
    return f"{tmp_path}/m"


def _run(monkeypatch, capsys, *arguments):
    monkeypatch.setattr("sys.argv", ["tinytf", *arguments])
    assert main() == 0
    return capsys.readouterr().out


def test_what_a_model_is_for_is_shown(model, monkeypatch, capsys):
    assert _run(monkeypatch, capsys, "show-model", model).splitlines() == [
        "tags serve: 5 nodes, TensorFlow 1.15.5",
        "  signature serving_default, tensorflow/serving/predict",
        "    takes x: float32 [?, 2] x:0",
        "    gives s: float32 [] s:0",
        "    gives y: float32 [?, 2] y:0",
    ]
    with pytest.raises(KeyError, match="there is no signature other; the signatures are serving_default"):
        _run(monkeypatch, capsys, "show-model", model, "--signature", "other")
    with pytest.raises(RuntimeError, match="available_tags"):
        _run(monkeypatch, capsys, "show-model", model, "--tags", "train")


def test_a_model_is_run(model, monkeypatch, capsys, tmp_path):
    out = _run(monkeypatch, capsys, "run-model", model, "--input", "x=[[1, 2]]", "--out", f"{tmp_path}/out")
    assert out == "s:\n3.0\ny:\n[[2. 4.]]\n"
    assert np.load(tmp_path / "out" / "y.npy").tolist() == [[2, 4]]
    np.save(tmp_path / "x.npy", np.ones([1, 2], np.float32))
    np.savez(tmp_path / "all.npz", a=np.ones([1, 2], np.float32))
    for given in (f"x=@{tmp_path}/x.npy", f"x=@{tmp_path}/all.npz:a"):
        assert "[[2. 2.]]" in _run(monkeypatch, capsys, "run-model", model, "--input", given)
    with pytest.raises(KeyError, match="the signature has inputs x, but got none"):
        _run(monkeypatch, capsys, "run-model", model)
    with pytest.raises(KeyError, match="there is no signature other"):
        _run(monkeypatch, capsys, "run-model", model, "--signature", "other")


def test_what_leads_nowhere_is_stripped(tmp_path):
    a = tf.placeholder(tf.float32, [2], name="a")
    b = tf.square(a, name="b")
    tf.identity(tf.add(b, 1.0, name="c"), name="d")
    tf.negative(a, name="unused")
    graph_def = tf.get_default_graph().as_graph_def()
    part = strip_unused_lib.strip_unused(graph_def, ["b"], ["d"], tf.float32.as_datatype_enum)
    assert [(node.name, node.op) for node in part.node] == [
        ("b", "Placeholder"),
        ("c/y", "Const"),
        ("c", "Add"),
        ("d", "Identity"),
    ]
    with pytest.raises(ValueError, match="Name 'b:0' appears to refer to a Tensor"):
        strip_unused_lib.strip_unused(graph_def, ["b:0"], ["d"], 1)
    with pytest.raises(KeyError, match="were not found: {'no'}"):
        strip_unused_lib.strip_unused(graph_def, ["no"], ["d"], [1])
    tf.train.write_graph(graph_def, str(tmp_path), "in.txt")
    strip_unused_lib.strip_unused_from_files(f"{tmp_path}/in.txt", False, f"{tmp_path}/out.pb", True, "b", "d", [1])
    assert tf.GraphDef.FromString((tmp_path / "out.pb").read_bytes()) == part


@pytest.mark.parametrize("depthwise", [False, True])
def test_normalizations_become_weights(depthwise):
    rng = np.random.RandomState(0)
    x = tf.placeholder(tf.float32, [1, 4, 4, 2], name="x")
    weights = tf.constant(rng.rand(3, 3, 2, 3), tf.float32)
    conv = tf.nn.depthwise_conv2d_native if depthwise else tf.nn.conv2d
    channels = 6 if depthwise else 3
    numbers = [tf.constant(rng.rand(channels) + 0.5, tf.float32) for _ in range(4)]
    gamma, beta, mean, variance = numbers
    image = conv(tf.identity(x), weights, [1, 1, 1, 1], "SAME")
    normal = tf.raw_ops.FusedBatchNorm(
        x=image, scale=gamma, offset=beta, mean=mean, variance=variance, is_training=False
    )[0]
    tf.nn.relu(normal, name="out")
    given = {"x:0": rng.rand(1, 4, 4, 2).astype(np.float32)}
    with tf.Session() as sess:
        expected = sess.run("out:0", given)
    graph_def = tf.get_default_graph().as_graph_def()
    small = optimize_for_inference_lib.optimize_for_inference(graph_def, ["x"], ["out"], tf.float32.as_datatype_enum)
    kinds = [node.op for node in small.node]
    assert "FusedBatchNorm" not in kinds and "Identity" not in kinds and kinds.count("Const") == 2
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.import_graph_def(small, name="")
        np.testing.assert_allclose(sess.run("out:0", given), expected, rtol=1e-5, atol=1e-5)


def test_normalizations_of_what_is_no_constant_stay(caplog):
    x = tf.placeholder(tf.float32, [1, 4, 4, 2], name="x")
    ones = tf.ones([2])
    image = tf.nn.conv2d(x, tf.placeholder(tf.float32, [3, 3, 2, 2], name="w"), [1, 1, 1, 1], "SAME")
    tf.raw_ops.FusedBatchNorm(x=image, scale=ones, offset=ones, mean=ones, variance=ones, is_training=False, name="n")
    graph_def = tf.get_default_graph().as_graph_def()
    assert optimize_for_inference_lib.fold_batch_norms(graph_def).node == graph_def.node
    assert "constant weights of 'n', found Placeholder" in caplog.text


def _values(graph_def, x):
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.import_graph_def(graph_def, name="")
        return sess.run("out:0", {"x:0": x})


def test_what_a_rim_is_made_of_stays_where_the_rim_does():
    """The resized image stays if padding uses it; TensorFlow 1.15.5 drops it here."""
    rng = np.random.RandomState(0)
    x = tf.placeholder(tf.float32, [1, 4, 4, 2], name="x")
    resized = tf.image.resize_bilinear(x, [5, 6], name="resized")
    rim = tf.pad(resized, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT", name="rim")
    conv = tf.nn.conv2d(rim, tf.constant(rng.rand(3, 3, 2, 2), tf.float32), [1, 1, 1, 1], "SAME", name="conv")
    tf.add(conv, rim, name="out")
    graph_def, given = tf.get_default_graph().as_graph_def(), rng.rand(1, 4, 4, 2)
    fused = optimize_for_inference_lib.fuse_resize_and_conv(graph_def, ["out"])
    assert [node.op for node in fused.node if node.name in ("resized", "rim", "conv")] == [
        "ResizeBilinear",
        "MirrorPad",
        "FusedResizeAndPadConv2D",
    ]
    np.testing.assert_allclose(_values(fused, given), _values(graph_def, given), rtol=1e-5)


@pytest.mark.parametrize(
    ("resize", "conv"),
    [
        ({"half_pixel_centers": True}, {}),
        ({}, {"dilations": [1, 2, 1, 1]}),
        ({}, {"padding": [[0, 0], [1, 0], [0, 1], [0, 0]]}),
        ({"images": tf.uint8}, {}),
    ],
)
def test_convolutions_stay_that_fused_ones_cannot_be(resize, conv):
    """TensorFlow 1.15.5 fuses these to different convolutions or to nodes of wrong dtypes."""
    resize, conv = dict(resize), {"padding": "SAME", **conv}
    x = tf.placeholder(resize.pop("images", tf.float32), [1, 4, 4, 2], name="x")
    resized = tf.image.resize_bilinear(x, [5, 6], **resize)
    tf.nn.conv2d(resized, tf.ones([2, 2, 2, 2]), [1, 1, 1, 1], name="out", **conv)
    graph_def = tf.get_default_graph().as_graph_def()
    assert optimize_for_inference_lib.fuse_resize_and_conv(graph_def, ["out"]).node == graph_def.node


def test_convolutions_with_channels_first_stay():
    x = tf.placeholder(tf.float32, [1, 2, 4, 4], name="x")
    rim = tf.pad(x, [[0, 0], [0, 0], [1, 1], [1, 1]], mode="REFLECT")
    tf.nn.conv2d(rim, tf.ones([2, 2, 2, 2]), [1, 1, 1, 1], "SAME", data_format="NCHW", name="out")
    graph_def = tf.get_default_graph().as_graph_def()
    assert optimize_for_inference_lib.fuse_resize_and_conv(graph_def, ["out"]).node == graph_def.node


def test_what_a_checkpoint_has_is_shown(monkeypatch, capsys, tmp_path):
    tf.get_variable("a/v", initializer=[1.0, 2.0])
    tf.get_variable("s", initializer=3)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(sess, f"{tmp_path}/m", 1)
    assert _run(monkeypatch, capsys, "inspect-checkpoint", path).splitlines() == [
        f"{path}: 2 tensors, 3 numbers",
        "a/v  float32  [2]",
        "s  int32  []",
    ]
    assert _run(monkeypatch, capsys, "inspect-checkpoint", str(tmp_path), "--values", "--only", "^s").splitlines() == [
        f"{path}: 1 tensors, 1 numbers",
        "s  int32  []",
        "3",
    ]


def test_names_under_tensorflow_s_paths():
    from tinytf.python.saved_model.loader import load

    from tinytf.python.saved_model import (
        builder,
        constants,
        loader,
        main_op,
        signature_constants,
        signature_def_utils,
        tag_constants,
        utils,
    )
    from tinytf.python.training import checkpoint_management, checkpoint_utils

    assert builder.SavedModelBuilder is tf.saved_model.Builder and loader.load is load is tf.saved_model.load
    assert main_op.main_op is tf.saved_model.main_op.main_op
    assert tag_constants.SERVING == constants.SERVING == tf.saved_model.SERVING
    assert signature_constants.PREDICT_METHOD_NAME == tf.saved_model.PREDICT_METHOD_NAME
    assert signature_def_utils.predict_signature_def is tf.saved_model.predict_signature_def
    assert utils.build_tensor_info is tf.saved_model.build_tensor_info
    assert checkpoint_utils.list_variables is tf.train.list_variables
    assert checkpoint_management.latest_checkpoint is tf.train.latest_checkpoint
