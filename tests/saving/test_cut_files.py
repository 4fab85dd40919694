"""Errors about truncated files name the file and its length."""

import os
import shutil

import pytest

import tinytf as tf
from tinytf._src import protos
from tinytf._src.checkpoint.message_files import end_of_cut_message


@pytest.fixture
def saved(tmp_path):
    """A folder with a checkpoint and a model."""
    x = tf.placeholder(tf.float32, [None], name="x")
    v = tf.get_variable("v", [100])
    with tf.Session() as sess:
        sess.run(v.initializer)
        tf.train.Saver().save(sess, str(tmp_path / "ck"))
        tf.saved_model.simple_save(sess, str(tmp_path / "m"), {"x": x}, {"y": x * v[0]})
    return tmp_path


def _cut(path, bytes):
    with open(path, "rb") as file:
        content = file.read()
    with open(path, "wb") as file:
        file.write(content[:bytes])
    return content


def _load(folder):
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.saved_model.load(sess, ["serve"], str(folder))


def test_of_messages_the_field_is_told(saved):
    graph, model = saved / "ck.meta", saved / "m/saved_model.pb"
    for path, load in ((graph, tf.train.import_meta_graph), (model, lambda path: _load(saved / "m"))):
        whole = path.read_bytes()
        for part in (0.3, 0.6, 0.95, 0.999):
            cut = int(len(whole) * part)
            path.write_bytes(whole[:cut])
            with pytest.raises(OSError) as raised:
                load(str(path))
            text = str(raised.value)
            assert text.startswith(f"Cannot parse file {path}: it ends at byte {cut}, in the middle of field ")
            assert " bytes are missing." in text and "utf-8" not in text


def test_every_cut_is_found_or_is_a_message(saved):
    whole = (saved / "ck.meta").read_bytes()
    first = protos.MetaGraphDef.FromString(whole).meta_info_def.ByteSize()
    for cut in (1, 2, first, first + 4, first + 40, len(whole) - 1):
        text = end_of_cut_message(whole[:cut], protos.MetaGraphDef)
        assert text.startswith(f"it ends at byte {cut}, in the middle of field "), (cut, text)
    assert end_of_cut_message(whole, protos.MetaGraphDef) is None
    for other in (b"node { name: 'a' }", b"\xff" * 20, "große Datei".encode("latin-1")):
        assert end_of_cut_message(other, protos.MetaGraphDef) is None


def test_text_is_complained_of_as_text(tmp_path):
    path = tmp_path / "g.pbtxt"
    path.write_text("graph_def { node { name: 'a'")
    with pytest.raises(OSError, match="g.pbtxt: 1:") as raised:
        tf.train.import_meta_graph(str(path))
    assert "middle of field" not in str(raised.value)


def test_an_empty_file_has_no_graph(tmp_path):
    path = tmp_path / "g.meta"
    path.write_bytes(b"")
    with pytest.raises(OSError) as raised:
        tf.train.import_meta_graph(str(path))
    assert str(raised.value) == f"Cannot parse file {path}: it is empty."


def _errors(prefix):
    """The errors of restoring and of reading a checkpoint."""
    with tf.Session() as sess, pytest.raises((tf.errors.DataLossError, tf.errors.OutOfRangeError)) as restored:
        tf.train.Saver().restore(sess, prefix)
    with pytest.raises((tf.errors.DataLossError, tf.errors.OutOfRangeError)) as read:
        tf.train.load_variable(prefix, "v")
    return str(restored.value), str(read.value)


@pytest.mark.parametrize("part", [0, 0.3, 0.6, 0.95])
def test_of_checkpoints_the_file_is_named(saved, part):
    prefix = str(saved / "ck")
    index, data = prefix + ".index", prefix + ".data-00000-of-00001"
    shutil.copy(index, index + ".whole")
    size = os.path.getsize(index)
    _cut(index, int(size * part))
    for text in _errors(prefix):
        assert " an sstable" in text and index in text
    shutil.copy(index + ".whole", index)
    _cut(data, int(400 * part))
    for text in _errors(prefix):
        assert f"Read less bytes than requested: {data} ends at byte {int(400 * part)}, and v would end at 400" in text
