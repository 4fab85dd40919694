"""Shapes claimed by `set_shape` are checked when the tensor is computed: always for Python functions, otherwise if a
function of Python used the static shape. TensorFlow silently gives wrong values. Ops that yield shapes look at the
values, as in TensorFlow.
"""

import re

import numpy as np
import pytest

import tinytf as tf
from tinytf.python.framework.function import Defun

CALLS = {
    "py_func": lambda f: tf.py_func(f, [], tf.float32, name="y"),
    "py_func without state": lambda f: tf.py_func(f, [tf.constant(1.0)][:0], tf.float32, stateful=False, name="y"),
    "numpy_function": lambda f: tf.numpy_function(f, [], tf.float32, name="y"),
    "py_function": lambda f: tf.py_function(f, [], tf.float32, name="y"),
}


def _four():
    return np.ones([4], np.float32)


def _refused(run, tensor, real, claimed):
    text = (
        f"Shape of tensor {tensor} {real} is not compatible with the shape {claimed} that the program has set for it."
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(text)) as raised:
        run()
    assert raised.value.op is None or raised.value.op.name == tensor.partition(":")[0]


@pytest.mark.parametrize("kind", CALLS)
@pytest.mark.parametrize("claimed", [[3], [2, 2], [None, 1], []])
def test_of_python_functions(kind, claimed):
    y = CALLS[kind](_four)
    y.set_shape(claimed)
    text = str(claimed).replace(" ", "").replace("None", "?")
    with tf.Session() as sess:
        for fetch in (y, y * 2.0, [tf.size(y), y], tf.zeros_like(y) + y):
            _refused(lambda fetch=fetch: sess.run(fetch), "y:0", "[4]", text)


@pytest.mark.parametrize("kind", CALLS)
def test_true_claims_and_none(kind):
    with tf.Session() as sess:
        for claims in ([], [[4]], [[None]], [None], [[None], [4]]):
            y = CALLS[kind](_four)
            for claimed in claims:
                y.set_shape(claimed)
            assert sess.run([tf.size(y), tf.reduce_sum(y)]) == [4, 4.0]


def test_each_output_has_its_claim():
    a, b = tf.py_func(lambda: (_four(), np.float32(1.0)), [], [tf.float32, tf.float32], name="y")
    b.set_shape([1])
    with tf.Session() as sess:
        for fetch in (a, b):
            _refused(lambda fetch=fetch: sess.run(fetch), "y:1", "[]", "[1]")


def test_no_claim_is_exported():
    y = tf.py_func(_four, [], tf.float32, name="y")
    before = tf.get_default_graph().as_graph_def()
    y.set_shape([3])
    assert tf.get_default_graph().as_graph_def() == before


def _tensors():
    """Tensors of shape [4] at run time whose static shape is unknown."""
    x = tf.placeholder_with_default(np.arange(4.0), None)
    shape = tf.placeholder_with_default([4], [None])
    queue = tf.FIFOQueue(10, [tf.float64])
    yield tf.reshape(x, shape, name="reshape")
    yield tf.boolean_mask(tf.reshape(x, [4]), tf.placeholder_with_default([True] * 4, [None]), name="mask")
    yield tf.reshape(tf.where(tf.reshape(x, [4]) > -1.0), shape, name="where")
    yield tf.decode_raw(tf.placeholder_with_default(b"abcd", []), tf.uint8, name="raw")
    with tf.control_dependencies([queue.enqueue(np.arange(4.0))]):
        yield queue.dequeue(name="dequeue")


def _uses(y):
    return {
        "shape": lambda: tf.shape(y),
        "size": lambda: tf.size(y),
        "rank": lambda: tf.rank(y),
        "zeros_like": lambda: tf.zeros_like(y),
        "ones_like": lambda: tf.ones_like(y),
        "shape of what is computed": lambda: tf.shape(tf.cast(y, tf.float32) * 2.0),
    }


@pytest.mark.parametrize("use", _uses(None))
def test_of_other_ops_where_values_are_made_of_it(use):
    for y in _tensors():
        claimed = [1, 2] if y.shape.ndims is None else [3]
        y.set_shape(claimed)
        value = _uses(y)[use]()
        with tf.Session() as sess:
            _refused(lambda y=y, value=value: sess.run([y, value]), y.name, "[4]", str(claimed).replace(" ", ""))


_SHAPE_OPS = {
    "Shape": lambda y: tf.raw_ops.Shape(input=y),
    "ShapeN": lambda y: tf.raw_ops.ShapeN(input=[y, y])[1],
    "Size": lambda y: tf.raw_ops.Size(input=y),
    "Rank": lambda y: tf.raw_ops.Rank(input=y),
    "Fill": lambda y: tf.fill(tf.raw_ops.Shape(input=y), 1.0),
    "ZerosLike": lambda y: tf.raw_ops.ZerosLike(x=y),
}
_CALLERS = {
    "graph": lambda body, x: body(x),
    "tf.function": lambda body, x: tf.function(body, [tf.TensorSpec(None, tf.float32)], autograph=False)(x),
    "called function": lambda body, x: tf.function(lambda y: tf.function(body, autograph=False)(y))(x),
    "Defun": lambda body, x: Defun(tf.float32)(body)(x),
}


@pytest.mark.parametrize("claims", ["of a node", "of an argument"])
@pytest.mark.parametrize("caller", _CALLERS)
@pytest.mark.parametrize("op", _SHAPE_OPS)
def test_ops_that_yield_shapes_look_at_the_values(op, caller, claims):
    def body(x):
        y = tf.identity(x) if claims == "of a node" else x
        y.set_shape([2, 3])
        return _SHAPE_OPS[op](tf.sin(y) + 1.0)

    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder_with_default(np.ones([4, 5], np.float32), None)
        found = sess.run(_CALLERS[caller](body, tf.identity(x)))
        expected = sess.run(_SHAPE_OPS[op](x))
    np.testing.assert_array_equal(found, expected)


def test_of_other_ops_a_claim_that_nothing_is_made_of_does_no_harm():
    """A wrong claim that was not used has no effect, as in TensorFlow, where programs declare partial batches as
    full.
    """
    for y in _tensors():
        y.set_shape([3])
        with tf.Session() as sess:
            assert sess.run(y + y).shape == (4,)


def test_claims_that_others_rest_on():
    x = tf.placeholder_with_default(np.arange(4.0), None)
    y = tf.reshape(x, tf.placeholder_with_default([4], [None]), name="y")
    before = tf.sin(y)
    y.set_shape([3])
    after = tf.sin(y)
    with tf.Session() as sess:
        assert sess.run([tf.shape(before), before])[0].tolist() == [4]
        assert sess.run(after).shape == (4,)
        size = tf.size(after + 1.0)
        _refused(lambda: sess.run([size, after]), "y:0", "[4]", "[3]")


def test_in_functions_branches_and_loops():
    def claimed(claim):
        y = tf.py_func(_four, [], tf.float32)
        y.set_shape(claim)
        return tf.reduce_sum(y) + tf.cast(tf.size(y), tf.float32)

    builds = {
        "function": lambda claim: tf.function(lambda: claimed(claim))(),
        "cond": lambda claim: tf.cond(tf.placeholder_with_default(True, []), lambda: claimed(claim), lambda: 0.0),
        "while_loop": lambda claim: tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, claimed(claim)), [0, 0.0]),
        "map_fn": lambda claim: tf.map_fn(lambda i: claimed(claim), tf.constant([1.0, 2.0])),
    }
    with tf.Session() as sess:
        for build in builds.values():
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[4\] is not compatible with the shape \[3\]"):
                sess.run(build([3]))
            sess.run(build([4]))


def test_claims_of_imported_shapes():
    y = tf.reshape(
        tf.placeholder_with_default(np.arange(4.0), None, name="x"), tf.placeholder(tf.int32, None, name="s"), name="y"
    )
    y.set_shape([3])
    graph_def = tf.get_default_graph().as_graph_def(add_shapes=True)
    with tf.Graph().as_default(), tf.Session() as sess:
        (y,) = tf.import_graph_def(graph_def, return_elements=["y:0"], name="")
        assert sess.run(y, {"s:0": [4]}).shape == (4,)
        _refused(lambda: sess.run([y, tf.size(y)], {"s:0": [4]}), "y:0", "[4]", "[3]")
