"""`Operation._update_input` replaces an input; errors have TensorFlow's text and occur at the same time."""

import numpy as np
import pytest

import tinytf as tf


def _sum(shape=(3, 1)):
    w = tf.constant(2, shape=shape)
    return w, w + w


def _run(fetch, feed=None):
    with tf.Session() as sess:
        return sess.run(fetch, feed)


def _error(fetch):
    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        _run(fetch)
    return raised.value.message


def test_the_operation_takes_the_other_tensor():
    w, z = _sum()
    z.op._update_input(0, tf.constant(5, shape=[3, 1]))
    assert [t.name for t in z.op.inputs] == ["Const_1:0", w.name]
    np.testing.assert_array_equal(_run(z), [[7], [7], [7]])


@pytest.mark.parametrize(("shape", "text"), [([2, 2], "[2,2]"), ([], "[]"), ([3, 1, 1], "[3,1,1]"), ([3, 2], "[3,2]")])
def test_a_shape_that_does_not_fit_is_an_error_at_once(shape, text):
    w, z = _sum()
    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        z.op._update_input(0, tf.constant(1, shape=shape))
    assert raised.value.message == f"Cannot update edge, incompatible shapes: {text} and [3,1]."
    assert list(z.op.inputs) == [w, w]


def test_shapes_known_before_still_count():
    w = tf.placeholder(tf.int32, [None, 1])
    z = tf.identity(w)
    z.op._update_input(0, tf.placeholder(tf.int32))
    assert z.shape.as_list() == [None, 1]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"shapes: \[4,4\] and \[\?,1\]\."):
        z.op._update_input(0, tf.constant(1, shape=[4, 4]))
    z.op._update_input(0, tf.constant(1, shape=[4, 1]))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"shapes: \[5,1\] and \[4,1\]\."):
        z.op._update_input(0, tf.constant(1, shape=[5, 1]))
    assert _run(z).shape == (4, 1)


@pytest.mark.parametrize(("value", "dtype"), [("a", "string"), (1.0, "float"), (True, "bool")])
def test_another_type_is_an_error_of_the_step(value, dtype):
    _, z = _sum()
    other = tf.constant(value, shape=[3, 1])
    z.op._update_input(0, other)
    assert z.op.inputs[0] is other
    text = f"Input 0 of node {z.op.name} was passed {dtype} from {other.name} incompatible with expected int32."
    for fetch in (z, z + 1, tf.reduce_sum(z)):  # constant folding must not run before the check
        assert _error(fetch).startswith(text)
    assert _run(z, {z: [[1], [2], [3]]}).tolist() == [[1], [2], [3]]


def test_a_type_that_fits_again_is_no_error():
    _, z = _sum()
    z.op._update_input(0, tf.constant("a", shape=[3, 1]))
    z.op._update_input(0, tf.constant(1, shape=[3, 1]))
    assert _run(z).tolist() == [[3], [3], [3]]


def test_a_value_in_place_of_a_reference_is_an_error_of_the_step():
    v = tf.Variable([1.0])
    z = tf.assign(v, [2.0])
    z.op._update_input(0, tf.constant([1.0]))
    text = "Input 0 of node Assign was passed float from .*:0 incompatible with expected float_ref"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        _run(z)


@pytest.mark.parametrize("index", [2, 5, -1])
def test_there_must_be_such_an_input(index):
    w, z = _sum()
    text = f"Cannot update edge. Input index [{index}] is greater than the number of total inputs [2]."
    with pytest.raises(tf.errors.OutOfRangeError) as raised:
        z.op._update_input(index, w)
    assert raised.value.message == text


def test_only_tensors_of_the_graph_are_taken():
    _, z = _sum()
    with pytest.raises(TypeError, match="tensor must be a Tensor: a"):
        z.op._update_input(0, "a")
    with tf.Graph().as_default():
        stranger = tf.constant(1, shape=[3, 1])
    with pytest.raises(ValueError, match="must be from the same graph as"):
        z.op._update_input(0, stranger)


def test_a_cycle_is_an_error_of_the_step():
    _, z = _sum()
    z.op._update_input(0, z)
    with pytest.raises(tf.errors.InvalidArgumentError, match="contains a cycle with 1 nodes, including: add"):
        _run(z)
