"""Aliases in TF 1.15 of names that other tests check, and the methods of the class `tf.Variable`."""

import inspect

import numpy as np
import pytest

import tinytf as tf


def test_tensor_protos():
    proto = tf.make_tensor_proto([[1, 2], [3, 4]], dtype=tf.int64)
    assert proto.dtype == tf.int64.as_datatype_enum
    assert tf.make_ndarray(proto).tolist() == [[1, 2], [3, 4]]
    assert tf.make_ndarray(tf.make_tensor_proto("text")).item() == b"text"


def test_op_scope():
    x = tf.constant(1.0, name="x")
    with tf.op_scope([x], None, "given") as scope:
        assert (scope, tf.identity(x).name) == ("given/", "given/Identity:0")
    with tf.op_scope([x], "named", "given") as scope:
        assert scope == "named/"
    other = tf.Graph()
    with other.as_default():
        y = tf.constant(1.0)
    with pytest.raises(ValueError, match="must be from the same graph"), tf.op_scope([x, y], "s"):
        pass


def test_operators_for_classes_like_tensor():
    operators = tf.Tensor.OVERLOADABLE_OPERATORS
    assert {"__add__", "__radd__", "__getitem__", "__matmul__", "__eq__", "__ne__"} <= operators
    assert all(hasattr(tf.Tensor, name) for name in operators)


UPDATES = {"add": [6, 2, 10], "sub": [-4, 2, -4], "max": [5, 2, 7], "min": [1, 2, 3], "mul": [5, 2, 21]}
UPDATES |= {"div": [0.2, 2, 3 / 7], "update": [5, 2, 7]}


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize("kind", UPDATES)
def test_scatter(kind, use_resource):
    v = tf.Variable([1.0, 2.0, 3.0], use_resource=use_resource)
    slices = tf.IndexedSlices(tf.constant([5.0, 7.0]), tf.constant([0, 2]))
    updated = getattr(v, f"scatter_{kind}")(slices)
    with tf.Session() as sess:
        sess.run(v.initializer)
        np.testing.assert_allclose(sess.run(updated), UPDATES[kind], rtol=1e-6)
        np.testing.assert_allclose(sess.run(v), UPDATES[kind], rtol=1e-6)
    with pytest.raises(TypeError, match="sparse_delta is not IndexedSlices"):
        getattr(v, f"scatter_{kind}")([1.0])


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize("kind", ["add", "sub", "update"])
def test_scatter_nd(kind, use_resource):
    v = tf.Variable([1.0, 2.0, 3.0], use_resource=use_resource)
    updated = getattr(v, f"scatter_nd_{kind}")([[0], [2]], [5.0, 7.0])
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert sess.run(updated).tolist() == UPDATES[kind]


@pytest.mark.parametrize(
    "name",
    "assign assign_add assign_sub read_value count_up_to value eval load initialized_value scatter_add scatter_sub "
    "scatter_max scatter_min scatter_mul scatter_div scatter_update scatter_nd_add scatter_nd_sub scatter_nd_update".split(),
)
def test_the_class_shows_its_methods(name):
    shared = list(inspect.signature(getattr(tf.Variable, name)).parameters)
    for use_resource in (False, True):
        own = getattr(type(tf.Variable(1.0, use_resource=use_resource)), name)
        assert list(inspect.signature(own).parameters) == shared
