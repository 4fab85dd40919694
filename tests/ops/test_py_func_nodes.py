"""The nodes added by `tf.py_func` and `tf.numpy_function`."""

import re

import pytest

import tinytf as tf
from tinytf._src.ops.script import python_functions


def test_node():
    x = tf.constant([1.0, 2.0])
    y, z = tf.py_func(lambda a, b: (a, b), [x, 3], [tf.float32, tf.int32])
    op = y.op
    assert (y.name, z.name, op.type, op.device) == ("PyFunc:0", "PyFunc:1", "PyFunc", "")
    assert [t.name for t in op.inputs] == ["Const:0", "PyFunc/input_1:0"]
    assert op.get_attr("Tin") == op.get_attr("Tout") == [tf.float32, tf.int32]
    assert re.fullmatch(rb"pyfunc_\d+", op.get_attr("token"))
    assert y.shape.ndims is None and z.shape.ndims is None
    assert sorted(op.node_def.attr) == ["Tin", "Tout", "token"]


def test_tokens_count_on():
    one, two = (tf.py_func(abs, [1.0], tf.float32).op.get_attr("token").decode() for _ in range(2))
    assert int(two.removeprefix("pyfunc_")) == int(one.removeprefix("pyfunc_")) + 1


def test_names():
    assert tf.py_func(abs, [1.0], tf.float32, name="f").name == "f:0"
    assert tf.py_func(abs, [1.0], tf.float32, stateful=False).name == "PyFuncStateless:0"
    assert tf.numpy_function(abs, [1.0], tf.float32).name == "PyFunc:0"
    assert tf.numpy_function(abs, [1.0], [tf.float32], name="f")[0].name == "f_1:0"
    assert tf.numpy_function(func=abs, inp=[1.0], Tout="float32", name="g").name == "g:0"


def test_results():
    assert isinstance(tf.py_func(abs, [1.0], tf.float32), tf.Tensor)
    assert [t.dtype for t in tf.py_func(abs, [1.0], (tf.float32,))] == [tf.float32]
    assert tf.py_func(abs, [1.0], ()).type == "PyFunc"


@pytest.mark.parametrize("func", [3, None, "f"])
def test_what_cannot_be_called(func):
    with pytest.raises(ValueError, match=f"^Expected func to be callable, got func of type {type(func)}$"):
        tf.py_func(func, [], tf.float32)


def test_arguments_that_do_not_fit():
    with pytest.raises(TypeError, match="^Expected list for 'input' argument to 'PyFunc' Op, not Tensor"):
        tf.py_func(abs, tf.constant(1.0), tf.float32)
    with pytest.raises(TypeError, match="'nope'"):
        tf.py_func(abs, [], "nope")
    assert tf.get_default_graph().get_operations()[-1].type == "Const"


def test_a_graph_def_calls_the_functions_of_this_process(sess_of):
    y = tf.py_func(lambda x: x + x, [tf.constant(4.0)], tf.float32, name="y")
    definition = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as other:
        (imported,) = tf.import_graph_def(definition, return_elements=["y:0"], name="")
    assert imported.op.get_attr("token") == y.op.get_attr("token")
    assert sess_of(other).run(imported) == 8


def test_a_token_without_function(sess_of):
    definition = tf.GraphDef()
    node = definition.node.add(name="y", op="PyFunc")
    node.attr["token"].s = b"pyfunc_999999"
    node.attr["Tin"].list.SetInParent()
    node.attr["Tout"].list.type.append(tf.float32.as_datatype_enum)
    (y,) = tf.import_graph_def(definition, return_elements=["y:0"], name="")
    with pytest.raises(tf.errors.InvalidArgumentError, match="^ValueError: callback pyfunc_999999 is not found\n"):
        sess_of(y.graph).run(y)


@pytest.fixture
def sess_of():
    """`sess_of(graph)` opens a session that is closed after the test."""
    made = []

    def make(graph):
        made.append(tf.Session(graph=graph))
        return made[-1]

    yield make
    for sess in made:
        sess.close()


def test_size_counts_functions():
    before = python_functions.size()
    tf.py_func(abs, [1.0], tf.float32)
    assert python_functions.size() == before + 1
