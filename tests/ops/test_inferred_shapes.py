"""Static shapes that depend on constant values, and errors during graph construction, are as in TensorFlow 1.15."""

import numpy as np
import pytest

import tinytf as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def _fed(shape, dtype=tf.float32):
    return tf.placeholder(dtype, shape)


def _ints(shape):
    return _fed(shape, tf.int32)


def _refused(build, message):
    with pytest.raises(ValueError) as caught:
        build()
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("shift", "axis", "message"),
    [
        ([1], [0, 1], "Dimension 0 in both shapes must be equal, but are 1 and 2. Shapes are [1] and [2]."),
        (1, [0, 1], "Shapes must be equal rank, but are 0 and 1"),
        ([1, 1], 0, "Shapes must be equal rank, but are 1 and 0"),
    ],
)
def test_roll_takes_as_many_shifts_as_axes(shift, axis, message):
    shapes = ", ".join("[2,2]" if not n else n for n in ("", *(str(list(np.shape(v))) for v in (shift, axis))))
    _refused(
        lambda: tf.roll([[1, 2], [3, 4]], shift, axis),
        f"{message} for 'Roll' (op: 'Roll') with input shapes: {shapes}.",
    )
    shifts, axes = (_ints(np.shape(v)) for v in (shift, axis))
    _refused(
        lambda: tf.roll([[1, 2], [3, 4]], shifts, axes),
        f"{message} for 'Roll_1' (op: 'Roll') with input shapes: {shapes}.",
    )
    assert tf.roll([[1, 2], [3, 4]], _ints(None), axes).shape.as_list() == [2, 2]


_EMPTY = "Indices and updates specified for empty output shape"
_COMPUTED = " and with input tensors computed as partial shapes: input[2] = {}"


@pytest.mark.parametrize(
    ("indices", "updates", "sizes", "message", "computed"),
    [
        ([1, 1], [1, 3, 2], [0, 3, 2], _EMPTY, True),
        ([1, 2], [1, 2], [0, 3, 2], _EMPTY, True),
        ([0], [1, 3, 2], [0, 3, 2], _EMPTY, True),
        ([2, 1], [None, 3], [0, 3], _EMPTY, True),
        (
            [2, 1],
            [3, 4],
            [3, 4],
            "The outer 1 dimensions of indices.shape=[2,1] must match the outer 1 dimensions of updates.shape=[3,4]: "
            "Dimension 0 in both shapes must be equal, but are 2 and 3. Shapes are [2] and [3].",
            False,
        ),
        (
            [2, 1],
            [2, 3],
            [3, 4],
            "The inner 1 dimensions of output.shape=[3,4] must match the inner 1 dimensions of updates.shape=[2,3]: "
            "Dimension 0 in both shapes must be equal, but are 4 and 3. Shapes are [4] and [3].",
            True,
        ),
        (
            [2, 1],
            [2, 1, 4],
            [3, 4],
            "The inner 1 dimensions of output.shape=[?,?] must match the inner 2 dimensions of updates.shape=[2,1,4]: "
            "Shapes must be equal rank, but are 1 and 2",
            False,
        ),
        ([], [2], [3], "Shape must be at least rank 1 but is rank 0", False),
        ([2, 1], [None, 0], [3, 0], _EMPTY, True),
    ],
)
def test_scatter_nd_refuses(indices, updates, sizes, message, computed):
    def text(shape):
        return str(["?" if n is None else n for n in shape]).replace(" ", "").replace("'", "")

    shapes = ", ".join(map(text, (indices, updates, [len(sizes)])))
    known = _COMPUTED.format(text(sizes)) if computed else ""
    _refused(
        lambda: tf.scatter_nd(_ints(indices), _fed(updates), sizes),
        f"{message} for 'ScatterNd' (op: 'ScatterNd') with input shapes: {shapes}{known}.",
    )


@pytest.mark.parametrize(
    ("indices", "updates", "sizes"),
    [(None, None, [0, 3]), ([None, 1], [None, 3], [0, 3]), ([0, 1], [None, 3], [0, 3]), ([None, 1], [None, 0], [3, 0])],
)
def test_scatter_nd_into_what_may_stay_empty(indices, updates, sizes):
    assert tf.scatter_nd(_ints(indices), _fed(updates), sizes).shape.as_list() == sizes


@pytest.mark.parametrize(
    ("shape", "perm", "expected"),
    [
        (None, [0], None),
        (None, [1], None),  # the shape of a fed perm
        (None, [3], None),
        ([3], [1], [None]),
        ([3], None, [None]),
        ([], None, []),
        ([3, 4], None, [None, None]),
    ],
)
def test_transposed_by_what_is_fed(shape, perm, expected):
    made = tf.transpose(_fed(shape), _ints(perm))
    if perm == [3]:
        expected = [None, None, None]
    assert made.shape.ndims == (None if expected is None else len(expected))
    assert expected is None or made.shape.as_list() == expected


def test_transposed_by_constants():
    assert tf.transpose(_fed(None), [0]).shape.ndims is None
    assert tf.transpose(_fed(None), tf.constant([], tf.int32)).shape.ndims is None
    assert tf.transpose(_fed(None), [1, 0]).shape.as_list() == [None, None]
    assert tf.transpose(_fed([3]), [0]).shape.as_list() == [3]
    assert tf.transpose(_fed([3, 4]), [1, 0]).shape.as_list() == [4, 3]


@pytest.mark.parametrize(
    ("shape", "perm", "shapes", "message"),
    [
        ([3, 4], [3], "[3,4], [3]", "Dimension must be 2 but is 3"),
        ([3], [2], "[3], [2]", "Dimension must be 1 but is 2"),
        ([], [1], "[], [1]", "Dimension must be 0 but is 1"),
        ([3], [1, 1], "[3], [1,1]", "Shape must be rank 1 but is rank 2"),
    ],
)
def test_transpose_refuses_other_ranks(shape, perm, shapes, message):
    for number, given in enumerate((tf.zeros(perm, tf.int32), _ints(perm))):
        name = f"transpose_{number}".removesuffix("_0")
        text = f"{message} for '{name}' (op: 'Transpose') with input shapes: {shapes}."
        _refused(lambda given=given: tf.transpose(_fed(shape), given), text)


@pytest.mark.parametrize(
    ("shape", "multiples", "expected"),
    [
        ([None, 3], lambda: [0, 2], [0, 6]),
        ([0, 3], lambda: tf.stack([_ints([]), 0]), [0, 0]),
        ([0, 3], lambda: _ints([2]), [0, None]),
        (None, lambda: [0, 2], [0, None]),
        (None, lambda: _ints([2]), [None, None]),
        ([2, 3], lambda: _ints([None]), [None, None]),
        ([None, 3], lambda: tf.stack([_ints([]), 2]), [None, 6]),
    ],
)
def test_tiled_shapes(shape, multiples, expected):
    assert tf.tile(_fed(shape), multiples()).shape.as_list() == expected


def test_tile_refuses_other_ranks():
    message = "Shape must be rank 1 but is rank 2 for 'Tile' (op: 'Tile') with input shapes: [3], [2]."
    _refused(lambda: tf.tile(_fed([3]), [1, 2]), message)


@pytest.mark.parametrize(
    ("shape", "to", "inferred", "actual"),
    [
        ((0, 6), [0, -1, 3], [0, None, 3], (0, 2, 3)),
        ((0, 6), [0, -1], [0, None], (0, 6)),
        ((0, 6), [-1, 0], [None, 0], (6, 0)),
        ((6, 0), [-1, 3, 0], [None, 3, 0], (2, 3, 0)),
        ((0,), [0, -1], [0, None], (0, 1)),
        ((0, 5), [0, -1, 3], [0, None, 3], (0, 1, 3)),
        ((0, 2), [0, -1, 3], [0, None, 3], (0, 0, 3)),
        ((4, 0, 6), [2, -1, 0, 3], [2, None, 0, 3], (2, 4, 0, 3)),
        ((0, 6), [-1, 3], [0, 3], (0, 3)),
    ],
)
def test_the_open_size_of_empty_tensors(shape, to, inferred, actual):
    fed, sizes = _fed(None), _ints(None)
    made = tf.reshape(tf.zeros(shape), to)
    assert made.shape.as_list() == inferred
    with tf.Session() as sess:
        values = sess.run([made, tf.reshape(fed, sizes)], {fed: np.zeros(shape), sizes: to})
    assert [value.shape for value in values] == [actual, actual]


def test_no_open_size_makes_up_for_zeros():
    message = "Cannot reshape a tensor with 6 elements to shape [0,?] (0 elements) for 'Reshape' (op: 'Reshape') with "
    _refused(
        lambda: tf.reshape(_fed([2, 3]), [0, -1]),
        message + "input shapes: [2,3], [2] and with input tensors computed as partial shapes: input[1] = [0,?].",
    )
    fed, sizes = _fed(None), _ints(None)
    message = "Input to reshape is a tensor with 6 values, but the requested shape has 0"
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match=message):
        sess.run(tf.reshape(fed, sizes), {fed: np.ones((2, 3)), sizes: [0, -1]})


@pytest.mark.parametrize(("shape", "k"), [((2, 3), 0), ((3,), 0), ((0, 3), 2), ((0, 3), 0), ((2, 3, 4), 0)])
def test_gradient_of_nothing_from_the_top(shape, k):
    x = tf.zeros(shape)
    (gradient,) = tf.gradients(tf.nn.top_k(x, k)[0], x)
    assert gradient.shape.as_list() == list(shape)
    with tf.Session() as sess:
        np.testing.assert_array_equal(sess.run(gradient), np.zeros(shape))


@pytest.mark.parametrize("axes", [[[2, 1], [0, 1]], [[1], [1]]])
def test_products_over_axes_that_are_tensors(axes):
    a, b = _fed([2, 3, 4]), _fed([4, 3, 2])
    expected = tf.tensordot(a, b, axes).shape.as_list()
    assert None not in expected
    for given in (np.array(axes), tf.constant(axes)):
        assert tf.tensordot(a, b, given).shape.as_list() == expected


def test_values_of_unknown_size_are_computed_for_shapes():
    rest = tf.raw_ops.ListDiff(x=[2, 5, 3, 2], y=[5])[0]
    assert rest.shape.as_list() == [None]
    assert tf.ones(rest).shape.as_list() == [2, 3, 2]
    assert tf.ones(tf.concat([rest, [7]], 0) * 2).shape.as_list() == [4, 6, 4, 14]
    assert tf.ones(tf.gather([4, 5, 6], tf.reshape(tf.where([True, False, True]), [-1]))).shape.as_list() == [4, 6]


def test_what_takes_much_memory_is_left_to_the_step():
    many = tf.raw_ops.ListDiff(x=tf.range(4000), y=[1])[0]
    table = tf.expand_dims(many, 0) * tf.expand_dims(many, 1)  # 16 million numbers: too many to evaluate now
    assert tf.ones(tf.reduce_max(table, axis=[0, 1], keepdims=True)[0]).shape.as_list() == [None]
