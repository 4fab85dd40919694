"""The errors of `tf.sparse.reset_shape` are those of TensorFlow 1.15.5, whose message calls the present shape the new
one and the reverse.
"""

import pytest

import tinytf as tf

_TOO_SMALL = (
    "Requested new_shape should have dimension sizes >= sp_input.shape.  Found new_shape ([2 3]), sp_input.shape ({})."
)


@pytest.mark.parametrize(
    ("new_shape", "message"),
    [
        ([1, 3], _TOO_SMALL.format("[1 3]")),
        ([2, 2], _TOO_SMALL.format("[2 2]")),
        ([2], "Dimensions 1 and 2 are not compatible"),
        ([2, 3, 4], "Dimensions 3 and 2 are not compatible"),
        ([[2, 3]], "Shape (1, 2) must have rank 1"),
    ],
)
def test_known_shapes(new_shape, message):
    with tf.Graph().as_default(), pytest.raises(ValueError) as raised:
        tf.sparse.reset_shape(tf.SparseTensor([[0, 0]], [1.0], [2, 3]), new_shape)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("new_shape", "message"),
    [([1, 3], r"x <= y did not hold"), ([2], r"x == y did not hold"), ([2, 3, 4], r"x == y did not hold")],
)
def test_fed_shapes(new_shape, message):
    given = tf.placeholder_with_default(tf.constant(new_shape, tf.int64), None)
    reset = tf.sparse.reset_shape(tf.SparseTensor([[0, 0]], [1.0], [2, 3]), given)
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match=message):
        sess.run(reset)
