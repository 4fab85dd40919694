"""Errors are raised during graph construction or only when the graph runs, as in TensorFlow and with its messages."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._gen import raw_ops


def _ints(values):
    return tf.placeholder(tf.int32, [None]) if values is None else tf.constant(values, tf.int32)


def _slice(shape, begin, size):
    return raw_ops.Slice(input=tf.placeholder(tf.float32, shape), begin=_ints(begin), size=_ints(size))


@pytest.mark.parametrize(
    ("dims", "message"),
    [
        (
            [2, -1],
            "Fill dimensions must be >= 0 for 'Fill' (op: 'Fill') with input shapes: [2], [] and with input tensors "
            "computed as partial shapes: input[0] = [2,?].",
        ),
        ([-3], "Invalid value in tensor used for shape: -3"),
        ([[2]], "Shape must be rank 1 but is rank 2 for 'Fill' (op: 'Fill') with input shapes: [1,1], []."),
    ],
)
def test_fill_refuses(dims, message):
    with pytest.raises(ValueError) as caught:
        raw_ops.Fill(dims=tf.constant(dims, tf.int32), value=tf.constant(1.0))
    assert str(caught.value) == message


def test_fill_of_sizes_that_cannot_be_computed():
    sizes = raw_ops.GatherV2(params=[1, 2], indices=[5], axis=0)  # constant, but evaluating it fails
    filled = tf.fill(sizes, 1.0)
    assert filled.shape.as_list() == [None]
    with (
        tf.Session() as sess,
        pytest.raises(tf.errors.InvalidArgumentError, match=r"indices\[0\] = 5 is not in \[0, 2\)"),
    ):
        sess.run(filled)


def test_fill_of_negative_sizes_that_are_fed():
    dims = tf.placeholder(tf.int32, [2])
    filled = tf.fill(dims, 1.0)
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match="Dimension -3 must be >= 0"):
        sess.run(filled, {dims: [2, -3]})


@pytest.mark.parametrize(
    ("shape", "begin", "size", "expected"),
    [
        ([4, 5], [0, 0], [5, 1], [5, 1]),  # refused when it runs
        ([4, 5], [3, 0], [2, 1], [2, 1]),
        ([4, 5], [-1, 0], [1, -1], [1, 5]),
        ([4, 5], [-1, 0], [-1, 1], [None, 1]),
        ([4, 5], [4, 0], [-1, 1], [0, 1]),
        ([4, 5], None, [7, -1], [7, None]),
        ([4, 5], [9, 9], None, [None, None]),
        ([None, 5], [1, 1], [-1, -1], [None, 4]),
        (None, [1, 1], [-1, 3], [None, 3]),
        ([], [], [], []),
    ],
)
def test_slice_shapes(shape, begin, size, expected):
    assert _slice(shape, begin, size).shape.as_list() == expected


@pytest.mark.parametrize(
    ("shape", "begin", "size", "message"),
    [
        ([4, 5], [0, 0], [-2, 1], "Invalid value in tensor used for shape: -2"),
        (None, None, [7, -3], "Invalid value in tensor used for shape: -3"),
        ([4, 5], [-9, 9], None, "Invalid value in tensor used for shape: -9"),
        (
            [4, 5],
            [5, 0],
            [-1, 1],
            "Negative dimension size caused by subtracting 5 from 4 for 'Slice' (op: 'Slice') with input shapes: [4,5], "
            "[2], [2] and with input tensors computed as partial shapes: input[1] = [5,0],input[2] = [?,1].",
        ),
        (
            [4, 5],
            [0],
            [1],
            "Shape must be rank 1 but is rank 2 for 'Slice' (op: 'Slice') with input shapes: [4,5], [1], [1].",
        ),
        (
            None,
            [0, 0],
            [1],
            "Dimension 0 in both shapes must be equal, but are 2 and 1. Shapes are [2] and [1]. for 'Slice' (op: "
            "'Slice') with input shapes: ?, [2], [1].",
        ),
    ],
)
def test_slice_refuses(shape, begin, size, message):
    with pytest.raises(ValueError) as caught:
        _slice(shape, begin, size)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("begin", "size", "message"),
    [
        ([0, 0], [5, 1], r"Expected size\[0\] in \[0, 4\], but got 5"),
        ([3, 0], [2, 1], r"Expected size\[0\] in \[0, 1\], but got 2"),
        ([-1, 0], [1, 1], r"Expected begin\[0\] in \[0, 4\], but got -1"),
    ],
)
def test_slice_refuses_when_it_runs(begin, size, message):
    piece = tf.slice(tf.ones([4, 5]), begin, size)
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match=message):
        sess.run(piece)


def test_broadcasting_over_many_dimensions():
    def pair(rank):
        shapes = [[1 + (i + k) % 2 for i in range(rank)] for k in (0, 1)]
        return [tf.constant(np.ones(s, np.float32)) for s in shapes]

    eight, nine = tf.add(*pair(8)), tf.add(*pair(9))
    assert nine.shape.as_list() == [2] * 9
    twelve = tf.ones([2] * 6 + [1] * 6) + tf.ones([1] * 6 + [2] * 6)  # adjacent dimensions of the same kind are merged
    message = r"Broadcast between \[1,2,1,2,1,2,1,2,1\] and \[2,1,2,1,2,1,2,1,2\] is not supported yet."
    with tf.Session() as sess:
        np.testing.assert_array_equal(sess.run(eight), np.full([2] * 8, 2))
        np.testing.assert_array_equal(sess.run(twelve), np.full([2] * 12, 2))
        with pytest.raises(tf.errors.UnimplementedError, match=message):
            sess.run(nine)


_DIFFERENT = {
    "ReluGrad": lambda a, b: raw_ops.ReluGrad(gradients=a, features=b),
    "SoftplusGrad": lambda a, b: raw_ops.SoftplusGrad(gradients=a, features=b),
    "EluGrad": lambda a, b: raw_ops.EluGrad(gradients=a, outputs=b),
    "Assign": lambda a, b: raw_ops.Assign(ref=raw_ops.VariableV2(shape=a.shape, dtype=tf.float32), value=b),
    "AssignAdd": lambda a, b: raw_ops.AssignAdd(ref=raw_ops.VariableV2(shape=a.shape, dtype=tf.float32), value=b),
}


@pytest.mark.parametrize("op", _DIFFERENT)
def test_two_inputs_of_one_shape(op):
    for shapes, message in (
        (
            ([2, 1], [3]),
            f"Shapes must be equal rank, but are 2 and 1 for '{op}' (op: '{op}') with input shapes: [2,1], [3].",
        ),
        (
            ([2], [3]),
            f"Dimension 0 in both shapes must be equal, but are 2 and 3. Shapes are [2] and [3]. for '{op}' (op: '{op}') "
            "with input shapes: [2], [3].",
        ),
    ):
        with tf.Graph().as_default(), pytest.raises(ValueError) as caught:
            _DIFFERENT[op](*map(tf.zeros, shapes))
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda: tf.ensure_shape(tf.zeros([2, 1]), [3, 2]),
            "Dimension 0 in both shapes must be equal, but are 3 and 2. Shapes are [3,2] and [2,1]. for 'EnsureShape' (op: "
            "'EnsureShape') with input shapes: [2,1].",
        ),
        (
            lambda: tf.ensure_shape(tf.zeros([2, 1]), [3]),
            "Shape must be rank 1 but is rank 2 for 'EnsureShape' (op: 'EnsureShape') with input shapes: [2,1].",
        ),
        (
            lambda: tf.broadcast_to(tf.zeros([6]), 6),
            "Shape must be rank 1 but is rank 0 for 'BroadcastTo' (op: 'BroadcastTo') with input shapes: [6], [].",
        ),
    ],
)
def test_shapes_that_are_asked_for(build, message):
    with pytest.raises(ValueError) as caught:
        build()
    assert str(caught.value) == message


def _fed(build, *values):
    """The error message of a step with fed values."""
    places = [tf.placeholder(np.asarray(value).dtype) for value in values]
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(build(*places), dict(zip(places, values)))
    return caught.value.message


def _static(build, *values):
    with pytest.raises(ValueError) as caught:
        build(*(tf.constant(value) for value in values))
    return str(caught.value)


MATRIX = np.ones([2, 2], np.float32)


def test_matrix_set_diag_of_a_scalar():
    message = "diagonal must be at least 1-dim, received shape: []"
    assert _fed(tf.matrix_set_diag, MATRIX, np.float32(5)).startswith(message)
    assert "Shape must be at least rank 1 but is rank 0" in _static(tf.matrix_set_diag, MATRIX, np.float32(5))


@pytest.mark.parametrize("shape", [[1, 1], [1, 3], [0]], ids=str)
def test_bitcast_to_a_larger_type(shape):
    def cast(value):
        return tf.bitcast(value, tf.int32)

    value = np.zeros(shape, np.int8)
    assert _fed(cast, value).startswith("Cannot bitcast from 6 to 3")
    assert f"Cannot bitcast due to shape. {shape[-1]} does not match 4 for 'Bitcast_1'" in _static(cast, value)


@pytest.mark.parametrize(
    "draw",
    [
        lambda seed: tf.random.stateless_uniform([2], seed),
        lambda seed: tf.random.stateless_normal([2], seed),
        lambda seed: tf.random.stateless_uniform([2], seed, 0, 5, tf.int32),
        lambda seed: tf.random.stateless_categorical([[1.0, 2.0]], 2, seed),
    ],
    ids=["uniform", "normal", "integers", "categorical"],
)
def test_stateless_seeds_of_other_sizes(draw):
    for seed in (np.array([1]), np.array([1, 2, 3])):
        assert f"Dimension must be 2 but is {len(seed)} for '" in _static(draw, seed)
        assert _fed(draw, seed).startswith(f"seed must have shape [2], not [{len(seed)}]")
