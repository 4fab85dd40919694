"""SparseConcat joins SparseTensors along a dimension, for arbitrary contents of the parts."""

import numpy as np
import pytest

import tinytf as tf

TYPES = ["float32", "float16", "bfloat16", "int8", "int64", "complex128", "bool", "string"]


def _joined(axis, *parts):
    """The outputs of SparseConcat for parts (indices, values, shape), fed without static shapes."""
    names = [tf.placeholder(dtype) for _ in parts for dtype in (tf.int64, tf.as_dtype(_type(parts)), tf.int64)]
    joined = tf.raw_ops.SparseConcat(indices=names[::3], values=names[1::3], shapes=names[2::3], concat_dim=axis)
    with tf.Session() as session:
        return session.run(list(joined), dict(zip(names, sum(parts, ()), strict=True)))


def _type(parts):
    kind = np.asarray(parts[0][1]).dtype
    return "string" if kind.kind in "OSU" else kind


def _random(rng, shape, dtype):
    dense = rng.integers(0, 2, shape)
    indices = np.argwhere(dense)
    values = rng.integers(0, 9, len(indices))
    values = (
        values.astype(str).astype(object) if dtype == "string" else values.astype(tf.as_dtype(dtype).as_numpy_dtype)
    )
    return indices, values, np.array(shape, np.int64)


def _dense(indices, values, shape):
    dense = np.zeros(tuple(shape), object)
    for index, value in zip(indices, values, strict=True):
        dense[tuple(index)] = (
            value if isinstance(value, bytes) else str(value).encode() if isinstance(value, str) else value
        )
    return dense


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_values(dtype, axis):
    rng = np.random.default_rng(axis + 5)
    sizes = [[2, 3, 4], [2, 3, 4], [2, 3, 4]]
    for size, along in zip(sizes, (1, 0, 5), strict=True):
        size[axis] = along
    parts = [_random(rng, size, dtype) for size in sizes]
    joined = _joined(axis, *parts)
    expected = np.concatenate([_dense(*part) for part in parts], axis)
    np.testing.assert_array_equal(_dense(*joined), expected)
    assert sorted(map(tuple, joined[0])) == list(map(tuple, joined[0]))


def test_hostile_parts():
    """Arbitrary numbers in indices and shapes give a result or an error."""
    rng = np.random.default_rng(0)
    hostile = np.array([0, 1, 2, 3, -1, -(2**63), 2**63 - 1, 2**62, 2**31, 2**32], np.int64)
    outcomes = set()
    for _ in range(300):
        parts = []
        for _ in range(2):
            rows, rank = rng.integers(0, 4), rng.integers(0, 4)
            shape = rng.choice(hostile, rank) if rng.random() < 0.5 else np.full(rank, 3)
            values = np.ones(rows if rng.random() < 0.9 else rows + 1, np.float32)
            parts.append((rng.choice(hostile, (rows, rank)), values, shape))
        try:
            _joined(int(rng.integers(-3, 3)), *parts)
            outcomes.add("result")
        except (tf.errors.InvalidArgumentError, tf.errors.ResourceExhaustedError):
            outcomes.add("error")
    assert outcomes == {"result", "error"}


def test_gradients_end():
    x = tf.placeholder(tf.float32, [1])
    sparse = tf.SparseTensor([[0]], x, [2])
    assert tf.gradients(tf.sparse_concat(0, [sparse, sparse]).values, x) == [None]
