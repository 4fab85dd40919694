"""SparseToDense: all forms of indices, mismatched shapes, and functions that use it."""

import numpy as np
import pytest

import tinytf as tf


def _fed(indices, shape, values, missing=0, validate=True, dtype=np.int64):
    inputs = [np.asarray(indices, dtype), np.asarray(shape, dtype), np.asarray(values), np.asarray(missing)]
    inputs[3] = inputs[3].astype(inputs[2].dtype)
    with tf.Graph().as_default(), tf.Session() as session:
        places = [tf.placeholder(tf.as_dtype(value.dtype)) for value in inputs]
        dense = tf.sparse_to_dense(*places, validate_indices=validate)
        return session.run(dense, dict(zip(places, inputs, strict=True))).tolist()


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize(
    ("arguments", "dense"),
    [
        (([[0, 1], [1, 2]], [2, 3], [1, 2]), [[0, 1, 0], [0, 0, 2]]),
        (([[0, 1], [1, 2]], [2, 3], 7, 9), [[9, 7, 9], [9, 9, 7]]),
        (([0, 2], [4], [1, 2]), [1, 0, 2, 0]),
        ((2, [4], 7), [0, 0, 7, 0]),
        ((2, [4], [7]), [0, 0, 7, 0]),
        (([1, 0], [3], [7, 8], 0, False), [8, 7, 0]),
        (([1, 1], [3], [7, 8], 0, False), [0, 8, 0]),
        ((np.zeros((0, 2)), [2, 1], np.zeros(0, int)), [[0], [0]]),
        ((np.zeros((1, 0)), [], [7]), 7),
        ((np.zeros((2, 0)), [], [7, 8], 0, False), 8),
        ((np.zeros((0, 0)), [], np.zeros(0, int), 5), 5),
        ((np.zeros((0, 2)), [0, 3], np.zeros(0, int)), []),
    ],
)
def test_values_stand_at_their_indices(arguments, dense, dtype):
    assert _fed(*arguments, dtype=dtype) == dense


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[[0]]], [4], [7]), "sparse_indices should be a scalar, vector, or matrix, got shape [1,1,1]"),
        (([0], 4, [7]), "output_shape should be a vector, got shape []"),
        (([[0, 1]], [4], [7]), "output_shape has incorrect number of elements: 1 should be: 2"),
        (([0, 1], [4], [7]), "sparse_values has incorrect shape [1], should be [] or [2]"),
        (([0, 1], [4], [[7, 8]]), "sparse_values has incorrect shape [1,2], should be [] or [2]"),
        (([0, 1], [4], [7, 8], [0]), "default_value should be a scalar."),
        (([1, 0], [4], [7, 8]), "indices[1] = [0] is out of order. Many sparse ops require sorted indices."),
        (([1, 1], [4], [7, 8]), "indices[1] = [1] is repeated"),
        (([0, 5], [4], [7, 8]), "indices[1] = [5] is out of bounds: need 0 <= index < [4]"),
        (([[0, 1], [-1, 0]], [2, 3], 7), "indices[1] = [-1,0] is out of bounds: need 0 <= index < [2,3]"),
        (([0, 5], [4], [7, 8], 0, False), "Indices are not valid (out of bounds).  Shape: [4]"),
        ((-1, [4], 7, 0, False), "Indices are not valid (out of bounds).  Shape: [4]"),
        (([0], [-4], [7]), "Dimension -4 must be >= 0"),
        (([[0, 0]], [1 << 40, 1 << 40], [7]), "would have more than 2**63 - 1 elements"),
    ],
)
def test_what_does_not_fit_is_told_as_in_tensorflow(arguments, message):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        _fed(*arguments)
    assert message in str(caught.value)


def test_places_of_a_scalar_take_no_time():
    many = np.broadcast_to(np.zeros((1, 0), np.int64), (1 << 50, 0))
    assert _fed(many, [], 7, 0, False) == 7


@pytest.mark.parametrize("missing", [None, "none"])
def test_words_of_examples(missing):
    messages = [
        tf.train.Example(
            features=tf.train.Features(feature={"w": tf.train.Feature(bytes_list=tf.train.BytesList(value=words))})
        ).SerializeToString()
        for words in ([b"a", b"b"], [], [b"c"])
    ]
    parsed = tf.parse_example(messages, {"w": tf.VarLenFeature(tf.string)})
    expected = (missing or "").encode()
    with tf.Session() as session:
        assert session.run(tf.sparse.to_dense(parsed["w"], missing)).tolist() == [
            [b"a", b"b"],
            [expected, expected],
            [b"c", expected],
        ]


def test_indicators_say_which_numbers_are_there():
    numbers = tf.SparseTensor([[0, 0], [0, 2], [2, 1]], tf.constant([3, 0, 3], tf.int64), [3, 4])
    with tf.Session() as session:
        shown = session.run(tf.sparse_to_indicator(numbers, 4))
        assert shown.tolist() == [[True, False, False, True], [False] * 4, [False, False, False, True]]
        with pytest.raises(tf.errors.InvalidArgumentError, match="out of bounds"):
            session.run(tf.sparse_to_indicator(numbers, 3))
    with pytest.raises(TypeError, match="Input must be a SparseTensor"):
        tf.sparse_to_indicator([1], 3)
