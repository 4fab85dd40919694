"""Public functions agree with NumPy for random shapes, indices and axes."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import tinytf as tf

_SETTINGS = settings(max_examples=150)
_SHAPES = npst.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)


def _array(shape, seed=0):
    return np.random.default_rng(seed).integers(-9, 9, shape).astype(np.int32)


def _run(build, *arrays):
    """The value; checks that inputs with known and unknown static shapes agree."""
    results = []
    with tf.Graph().as_default(), tf.Session() as sess:
        for known in (True, False):
            fed = [tf.placeholder(a.dtype, a.shape if known else None) for a in arrays]
            tensor = build(*fed)
            results.append(sess.run(tensor, dict(zip(fed, arrays, strict=True))))
            assert tensor.shape.is_compatible_with(results[-1].shape)
            if known:
                assert tensor.shape.is_fully_defined()
    np.testing.assert_array_equal(results[0], results[1])
    return results[0]


@_SETTINGS
@given(npst.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, min_side=0, max_side=4))
def test_broadcasting(shapes):
    a, b = (_array(s, i) for i, s in enumerate(shapes.input_shapes))
    for op, ref in ((tf.add, np.add), (tf.multiply, np.multiply), (tf.maximum, np.maximum), (tf.less, np.less)):
        np.testing.assert_array_equal(_run(op, a, b), ref(a, b))
    with tf.Graph().as_default():
        assert tf.broadcast_static_shape(tf.TensorShape(a.shape), tf.TensorShape(b.shape)) == shapes.result_shape


@_SETTINGS
@given(_SHAPES, _SHAPES)
def test_shapes_that_do_not_broadcast_are_refused(left, right):
    a, b = _array(left), _array(right)
    try:
        expected = a + b
    except ValueError:
        for known in (True, False):
            with tf.Graph().as_default(), tf.Session() as sess:
                fed = [tf.placeholder(tf.int32, x.shape if known else None) for x in (a, b)]
                try:
                    sess.run(fed[0] + fed[1], dict(zip(fed, (a, b), strict=True)))
                except (ValueError, tf.errors.InvalidArgumentError):
                    continue
                raise AssertionError(f"{left} + {right} was accepted") from None
    else:
        np.testing.assert_array_equal(_run(tf.add, a, b), expected)


@_SETTINGS
@given(st.data())
def test_indexing(data):
    shape = data.draw(npst.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=5))
    index = data.draw(npst.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    array = _array(shape)
    np.testing.assert_array_equal(_run(lambda x: tf.identity(x[index]), array), array[index])


@_SETTINGS
@given(st.data())
def test_reductions(data):
    shape = data.draw(npst.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=5))
    axes = data.draw(st.none() | st.lists(st.integers(0, len(shape) - 1), unique=True, min_size=1))
    negative = data.draw(st.booleans())
    keepdims = data.draw(st.booleans())
    axis = None if axes is None else [a - len(shape) if negative else a for a in axes]
    numpy_axis = None if axes is None else tuple(axes)
    array = _array(shape)
    for op, ref in (
        (tf.reduce_sum, np.sum),
        (tf.reduce_max, np.max),
        (tf.reduce_min, np.min),
        (tf.reduce_prod, np.prod),
    ):
        expected = np.asarray(ref(array, axis=numpy_axis, keepdims=keepdims)).astype(np.int32)
        np.testing.assert_array_equal(_run(lambda x, op=op: op(x, axis, keepdims), array), expected)


@_SETTINGS
@given(st.data())
def test_transpositions_and_reshapes(data):
    shape = data.draw(_SHAPES)
    array = _array(shape)
    order = data.draw(st.permutations(range(len(shape))))
    np.testing.assert_array_equal(_run(lambda x: tf.transpose(x, list(order)), array), array.transpose(order))
    np.testing.assert_array_equal(_run(lambda x: tf.reshape(x, [array.size]), array), array.reshape(-1))


@_SETTINGS
@given(st.data())
def test_concatenation_and_splitting(data):
    shape = list(data.draw(npst.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4)))
    axis = data.draw(st.integers(0, len(shape) - 1))
    sizes = data.draw(st.lists(st.integers(0, 4), min_size=2, max_size=4))
    parts = [_array([*shape[:axis], n, *shape[axis + 1 :]], i) for i, n in enumerate(sizes)]
    whole = np.concatenate(parts, axis)
    np.testing.assert_array_equal(_run(lambda *xs: tf.concat(xs, axis), *parts), whole)
    for i, part in enumerate(parts):
        np.testing.assert_array_equal(
            _run(lambda x, i=i: tf.split(tf.reshape(x, whole.shape), sizes, axis)[i], whole), part
        )


@_SETTINGS
@given(st.data())
def test_gathering(data):
    shape = data.draw(npst.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=5))
    axis = data.draw(st.integers(0, len(shape) - 1))
    indices = np.array(data.draw(st.lists(st.integers(0, shape[axis] - 1), max_size=5)), np.int32)
    array = _array(shape)
    np.testing.assert_array_equal(
        _run(lambda x, i: tf.gather(x, i, axis=axis), array, indices), np.take(array, indices, axis)
    )
