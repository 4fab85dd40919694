"""Graph files are read without the bytes of large constants; the result equals the whole message for any file."""

import copy
import random

import numpy as np
import pytest

import tinytf as tf
from tinytf._src import protos
from tinytf._src.checkpoint import files_of_graphs, large_contents
from tinytf._src.checkpoint.files_of_graphs import MetaGraphOfFile, read_meta_graph, read_saved_model
from tinytf._src.checkpoint.message_files import read_message
from tinytf._src.framework.graph_defs.varint import varint


@pytest.fixture
def all_are_large(monkeypatch):
    """Makes small contents count as large, in files of any size."""
    monkeypatch.setattr(large_contents, "_SMALL_FILE", 0)
    monkeypatch.setattr(large_contents, "_LARGE", 64)
    monkeypatch.setattr(files_of_graphs, "_MUCH", 64)


def _meta_graph():
    """A MetaGraphDef with constants of all kinds, some of which are large."""
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        big = tf.constant(np.arange(100.0, dtype=np.float32), name="big")
        tf.constant(np.arange(50), name="wide")
        tf.constant(["a" * 100, "b"], name="text")
        tf.constant(np.eye(9, dtype=bool), name="logical")
        tf.constant(3, name="small")
        tf.zeros([1000], name="filled")
        tf.Variable(big * x, name="v", validate_shape=False)
    return tf.train.export_meta_graph(graph=graph)


def _outcome(read):
    try:
        return read()
    except OSError as error:
        return str(error)


def _same(path):
    """Whether reading the file gives the same as parsing the whole message, or fails with the same error."""
    found = _outcome(lambda: read_meta_graph(path).whole())
    whole = _outcome(lambda: read_message(path, protos.MetaGraphDef))
    return found == whole


def test_contents_stand_beside(tmp_path, all_are_large):
    message = _meta_graph()
    path = str(tmp_path / "g.meta")
    (tmp_path / "g.meta").write_bytes(message.SerializeToString())
    graph = read_meta_graph(path)
    names = [message.graph_def.node[number].name for number in graph.contents]
    assert names == ["big", "wide"]
    assert all(len(graph.light.graph_def.node[i].attr["value"].tensor.tensor_content) == 0 for i in graph.contents)
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.train.import_meta_graph(path)
        for name, value in (("big", np.arange(100.0)), ("wide", np.arange(50)), ("logical", np.eye(9))):
            np.testing.assert_array_equal(sess.run(f"{name}:0"), value)
        nodes = message.graph_def.node
        assert tf.get_default_graph().as_graph_def(add_shapes=True).node[: len(nodes)] == nodes
    assert graph.whole() == message and not graph.contents


def test_what_is_told_of_a_graph_is_the_message(tmp_path, all_are_large):
    message = _meta_graph()
    (tmp_path / "g.meta").write_bytes(message.SerializeToString())

    def read():
        return read_meta_graph(str(tmp_path / "g.meta"))

    told = read().as_told()
    assert isinstance(told, MetaGraphOfFile)
    assert told.collection_def == message.collection_def and told.meta_info_def == message.meta_info_def
    assert told.contents  # the graph was not accessed yet
    assert told.graph_def == message.graph_def and not told.contents
    assert read().as_told() == message and message == read().as_told() and read().as_told() == read()
    assert read().SerializeToString(deterministic=True) == message.SerializeToString(deterministic=True)
    assert str(read()) == str(message) and repr(read()) == repr(message)
    assert copy.deepcopy(read()).whole() == message and copy.copy(read()).whole() == message
    assert protos.adopt(read()) == message
    with tf.Graph().as_default() as graph:
        tf.train.import_meta_graph(read())
        assert graph.as_graph_def(add_shapes=True).node[: len(message.graph_def.node)] == message.graph_def.node
    with pytest.raises(AttributeError, match="nothing"):
        _ = read().nothing


def test_graphs_with_few_bytes_of_constants_are_messages(tmp_path):
    (tmp_path / "g.meta").write_bytes(_meta_graph().SerializeToString())
    assert isinstance(read_meta_graph(str(tmp_path / "g.meta")).as_told(), protos.MetaGraphDef)


def test_any_cut_and_any_byte(tmp_path, all_are_large):
    data = _meta_graph().SerializeToString()
    path = tmp_path / "g.meta"
    rng = random.Random(0)
    kinds = set()
    for i in range(600):
        damaged = bytearray(data)
        if i % 3 == 0:
            del damaged[rng.randrange(len(damaged)) :]
        else:
            for _ in range(rng.choice((1, 1, 3))):
                damaged[rng.randrange(len(data))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        path.write_bytes(damaged)
        found = _outcome(lambda: read_meta_graph(str(path)).whole())
        assert found == _outcome(lambda: read_message(str(path), protos.MetaGraphDef)), i
        kinds.add(type(found))
    assert kinds == {str, protos.MetaGraphDef}


def _field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def _forms():
    """Encodings of a MetaGraphDef with a large constant that are valid but unusual, or invalid."""
    content = _field(4, bytes(range(100)))
    head = b"\x08\x04" + _field(2, _field(2, b"\x08\x64"))  # uint8, [100]
    tensor = head + content
    key, name = _field(1, b"value"), _field(1, b"c") + _field(2, b"Const")

    def graph(*attrs, of=name):
        return _field(2, _field(1, of + b"".join(_field(5, attr) for attr in attrs)))

    plain = key + _field(2, _field(8, tensor))
    small = key + _field(2, _field(8, head + _field(4, b"a")))
    yield "plain", graph(plain)
    yield "content first", graph(key + _field(2, _field(8, content + head)))
    yield "content twice", graph(key + _field(2, _field(8, tensor + content)))
    yield "a small one behind", graph(key + _field(2, _field(8, tensor + _field(4, b"a"))))
    yield "tensor twice", graph(key + _field(2, _field(8, tensor) + _field(8, head)))
    yield "another value behind", graph(key + _field(2, _field(8, tensor) + b"\x18\x05"))
    yield "value twice", graph(key + _field(2, _field(8, tensor)) + _field(2, b"\x18\x05"))
    yield "value before its key", graph(_field(2, _field(8, tensor)) + key)
    yield "another key behind", graph(plain + _field(1, b"other"))
    yield "another attr", graph(_field(1, b"other") + _field(2, _field(8, tensor)))
    yield "two attrs", graph(plain, _field(1, b"other") + _field(2, _field(8, tensor)))
    yield "the attr twice", graph(plain, small)
    yield "the attr twice, the large one last", graph(small, plain)
    yield "a list", graph(key + _field(2, _field(1, _field(8, tensor))))
    yield "attrs before the name", _field(2, _field(1, _field(5, plain) + name))
    yield "two graphs", graph(plain) + graph(plain, of=_field(1, b"d") + _field(2, b"Const"))
    yield "an unknown field", graph(plain) + _field(99, b"what")
    yield "a group", graph(plain) + b"\x9b\x06\x9c\x06"
    yield "a long number", b"\x92\x80\x80\x00" + graph(plain)[1:]
    yield "numbers, too", graph(key + _field(2, _field(8, tensor + _field(5, bytes(400)))))
    for size in (101, 1 << 20, 1 << 31, 1 << 62, (1 << 70) - 1):
        lies = b"\x22" + varint(size) + bytes(100)
        yield f"content of {size} bytes", graph(key + _field(2, _field(8, head + lies)))
        yield f"graph of {size} bytes", b"\x12" + varint(size) + graph(plain)[3:]


FORMS = dict(_forms())


@pytest.mark.parametrize("form", FORMS)
def test_unusual_forms(form, tmp_path, all_are_large):
    path = tmp_path / "g.meta"
    path.write_bytes(FORMS[form])
    assert _same(str(path))
    path.write_bytes(_field(2, FORMS[form]) * 2)
    graphs = _outcome(lambda: [graph.whole() for graph in read_saved_model(str(path))[1]])
    whole = _outcome(lambda: list(read_message(str(path), protos.SavedModel).meta_graphs))
    assert graphs == whole


def test_each_graph_of_a_model_has_its_constants(tmp_path, all_are_large):
    first = _meta_graph()
    second = protos.MetaGraphDef()
    second.CopyFrom(first)
    second.graph_def.node[1].attr["value"].tensor.tensor_content = b"\1" * 400
    model = protos.SavedModel(meta_graphs=[first, second])
    (tmp_path / "saved_model.pb").write_bytes(model.SerializeToString())
    message, graphs = read_saved_model(str(tmp_path / "saved_model.pb"))
    assert [sorted(graph.contents) for graph in graphs] == [sorted(graphs[0].contents)] * 2
    assert [graph.whole() for graph in graphs] == [first, second] and message == model


def test_a_constant_of_another_size_than_its_shape_is_an_error(tmp_path, all_are_large):
    message = _meta_graph()
    tensor = message.graph_def.node[1].attr["value"].tensor
    tensor.tensor_content = tensor.tensor_content[:-1]
    (tmp_path / "g.meta").write_bytes(message.SerializeToString())
    texts = []
    for graph in (str(tmp_path / "g.meta"), message):
        with tf.Graph().as_default(), pytest.raises(ValueError, match="big") as raised:
            tf.train.import_meta_graph(graph)
        texts.append(str(raised.value))
    assert texts[0] == texts[1]
