"""Damaged or malicious graphs and models are errors."""

import os
import random

import pytest

import tinytf as tf
from tinytf._src import protos
from tinytf._src.framework.errors.error_traceback import REPORTED
from tinytf._src.saved_model.assets import asset_files
from tinytf.python.saved_model import loader


def _model(folder):
    """Writes a model with an asset, a variable, a loop and a branch."""
    x = tf.placeholder(tf.float32, [None], name="x")
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    _, y = tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, tf.cond(i > 0, lambda: y * 2.0, lambda: y)), [0, x * v]
    )
    with open(f"{folder}/words", "w") as file:
        file.write("a")
    tf.add_to_collection("asset_filepaths", tf.constant(f"{folder}/words", name="file"))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(sess, f"{folder}/m", {"x": x}, {"y": tf.identity(y)})


def _load(folder):
    with tf.Graph().as_default(), tf.Session() as sess:
        try:
            tf.saved_model.load(sess, ["serve"], folder)
        except REPORTED as error:
            return error
    return None


def test_any_byte_may_be_another(tmp_path):
    _model(tmp_path)
    folder = f"{tmp_path}/m"
    assert _load(folder) is None
    with open(f"{folder}/saved_model.pb", "rb") as file:
        data = file.read()
    rng, refused = random.Random(0), 0
    for _ in range(150):
        damaged = bytearray(data)
        for _ in range(rng.choice((1, 1, 1, 5))):
            damaged[rng.randrange(len(data))] = rng.randrange(256)
        if rng.random() < 0.1:
            del damaged[rng.randrange(len(damaged)) :]
        with open(f"{folder}/saved_model.pb", "wb") as file:
            file.write(damaged)
        refused += _load(folder) is not None
    assert refused > 20


def test_files_of_a_model_are_in_its_folder(tmp_path):
    _model(tmp_path)
    path = f"{tmp_path}/m/saved_model.pb"
    for name in ("../secret", "/etc/passwd", "a/../../b"):
        with open(path, "rb") as file:
            model = protos.SavedModel.FromString(file.read())
        asset = protos.AssetFileDef(filename=name)
        asset.tensor_info.name = "file:0"
        [packed] = model.meta_graphs[0].collection_def["saved_model_assets"].any_list.value
        packed.Pack(asset)
        with pytest.raises(ValueError, match="would be outside of its folder"):
            asset_files(f"{tmp_path}/m", model.meta_graphs[0], None)


def test_a_message_of_another_kind_is_an_error(tmp_path):
    for content in (b"", b"\xff" * 20, b"\x0a\xff\xff\xff\xff\x7f"):
        (tmp_path / "g.meta").write_bytes(content)
        with pytest.raises(OSError, match="Cannot parse file"):
            tf.train.import_meta_graph(f"{tmp_path}/g.meta")
    deep = "graph_def { node { attr { value { func { " + "attr { value { func { " * 10_000
    (tmp_path / "g.meta").write_text(deep)
    with pytest.raises(OSError, match="Cannot parse file"):
        tf.train.import_meta_graph(f"{tmp_path}/g.meta")
    with pytest.raises(OSError, match="does not exist"):
        loader.load(None, ["serve"], os.path.join(tmp_path, "none"))
