"""SparseTensorDenseMatMul: mismatched shapes, complex numbers, and products split over several threads."""

import numpy as np
import pytest

import tinytf as tf

PLACES, VALUES, SIZES = [[0, 1], [1, 0], [1, 2]], [1.0, 2.0, 3.0], [2, 3]
B = np.arange(6.0).reshape(3, 2)


def _fed(indices, values, sizes, b, adjoint_a=False, adjoint_b=False):
    arrays = np.asarray(indices, np.int64), np.asarray(values, np.float32), np.asarray(sizes, np.int64)
    arrays += (np.asarray(b, np.float32),)
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = [tf.placeholder(tf.as_dtype(array.dtype)) for array in arrays]
        names = ("a_indices", "a_values", "a_shape", "b")
        product = tf.raw_ops.SparseTensorDenseMatMul(
            **dict(zip(names, inputs, strict=True)), adjoint_a=adjoint_a, adjoint_b=adjoint_b
        )
        return session.run(product, dict(zip(inputs, arrays, strict=True)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (PLACES, VALUES, SIZES, B[:2]),
            "Cannot multiply A and B because inner dimension does not match: 3 vs. 2.  Did you forget a transpose?  "
            "Dimensions of A: [2, 3).  Dimensions of B: [2,2]",
        ),
        ((PLACES, VALUES, SIZES, B[:, 0]), "Tensor 'b' is not a matrix"),
        ((PLACES, VALUES, [6], B), "Tensor 'a_shape' must have 2 elements"),
        ((PLACES, VALUES, [SIZES], B), "Tensor 'a_shape' is not a vector"),
        ((PLACES, VALUES[:2], SIZES, B), "Number of rows of a_indices does not match number of entries in a_values"),
        (([0, 1], VALUES, SIZES, B), "Tensor 'a_indices' is not a matrix"),
        ((PLACES, [VALUES], SIZES, B), "Tensor 'a_values' is not a vector"),
        (
            (np.zeros((3, 3)), VALUES, SIZES, B),
            "Number of columns of a_indices does not match number of entries in a_shape",
        ),
        (([[0, 3]], [1], SIZES, B), "k (3) from index[0,1] out of bounds (>=3)"),
        (([[2, 0]], [1], SIZES, B), "m (2) from index[0,0] out of bounds (>=2)"),
        (([[-1, 0]], [1], SIZES, B), "m (-1) from index[0,0] out of bounds (>=2)"),
        (([[0, 3]], [1], SIZES, B[:2], True), "m (3) from index[0,1] out of bounds (>=3)"),
        (([[2, 0]], [1], SIZES, B[:2], True), "k (2) from index[0,0] out of bounds (>=2)"),
        ((PLACES, VALUES, [-2, 3], B), "Dimension -2 must be >= 0"),
    ],
)
def test_what_does_not_fit_is_told_as_in_tensorflow(arguments, message):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        _fed(*arguments)
    assert message in str(caught.value)


def test_a_matrix_without_values_gives_zeros():
    assert _fed(np.zeros((0, 2)), [], SIZES, B).tolist() == [[0, 0], [0, 0]]
    assert _fed(np.zeros((0, 2)), [], [2, 0], np.zeros((0, 2))).tolist() == [[0, 0], [0, 0]]
    assert _fed(PLACES, VALUES, SIZES, np.zeros((3, 0))).shape == (2, 0)


def test_complex_numbers_are_conjugated_on_the_dense_side_alone():
    sparse = tf.SparseTensor([[0, 0], [1, 1]], tf.constant([1 + 2j, 3j], tf.complex64), [2, 2])
    dense = tf.constant([[1 + 1j, 2], [3, 4]], tf.complex64)
    with tf.Session() as session:
        assert session.run(tf.sparse.matmul(sparse, dense, True)).tolist() == [[-1 + 3j, 2 + 4j], [9j, 12j]]
        assert session.run(tf.sparse.matmul(sparse, dense, True, True)).tolist() == [[3 + 1j, 3 + 6j], [6j, 12j]]


@pytest.mark.parametrize("width", [1, 40, 3000])
@pytest.mark.parametrize("turned", [False, True])
def test_the_number_of_threads_changes_no_bit(width, turned):
    rng = np.random.default_rng(width)
    places = rng.integers(0, 200, (5000, 2))
    arrays = places, rng.standard_normal(5000), [200, 200], rng.standard_normal((200, width))
    results = []
    for threads in (1, 2):
        config = tf.ConfigProto(intra_op_parallelism_threads=threads)
        with tf.Graph().as_default(), tf.Session(config=config) as session:
            sparse = tf.SparseTensor(arrays[0], tf.constant(arrays[1], tf.float32), arrays[2])
            results.append(session.run(tf.sparse.matmul(sparse, tf.constant(arrays[3], tf.float32), turned)))
    assert np.array_equal(*results)
    whole = np.zeros((200, 200))
    np.add.at(whole, tuple(places.T), arrays[1])
    np.testing.assert_allclose(results[0], (whole.T if turned else whole) @ arrays[3], rtol=1e-3, atol=1e-3)
