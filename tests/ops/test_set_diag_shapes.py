"""`matrix_set_diag` and `in_top_k` detect the same shape errors during graph construction as TensorFlow 1.15.5, and
leave the same ones to the step.
"""

import pytest

import tinytf as tf


def _set(input, diagonal):
    return tf.matrix_set_diag(tf.placeholder(tf.float32, input), tf.placeholder(tf.float32, diagonal), name="s")


REFUSED = [
    ([2, 3], [], "Shape must be at least rank 1 but is rank 0", "[2,3], []"),
    ([2, 3], [3], "Dimensions must be equal, but are 2 and 3", "[2,3], [3]"),
    ([2, 3], [2, 2], "Shape must be rank 1 but is rank 2", "[2,3], [2,2]"),
    ([3], [3], "Shape must be at least rank 2 but is rank 1", "[3], [3]"),
    ([], [], "Shape must be at least rank 2 but is rank 0", "[], []"),
    (None, [], "Shape must be at least rank 1 but is rank 0", "?, []"),
    ([4, 2, 3], [None, 3], "Dimensions must be equal, but are 2 and 3", "[4,2,3], [?,3]"),
]


@pytest.mark.parametrize(("input", "diagonal", "text", "shapes"), REFUSED)
def test_refused(input, diagonal, text, shapes):
    with pytest.raises(ValueError) as raised:
        _set(input, diagonal)
    assert str(raised.value) == f"{text} for 's' (op: 'MatrixSetDiag') with input shapes: {shapes}."


@pytest.mark.parametrize(
    ("input", "diagonal", "shape"),
    [
        ([4, 2, 3], [5, 2], [4, 2, 3]),  # detected when it runs
        ([2, 3], None, [2, 3]),
        (None, [4, 2], [4, None, None]),
        ([None, 3], [2], [None, 3]),
        ([None, None, 3], [4, 2], [4, None, 3]),
    ],
)
def test_inferred(input, diagonal, shape):
    assert _set(input, diagonal).shape.as_list() == shape


def test_the_step_looks_at_the_number_of_in_top_k():
    y = tf.nn.in_top_k([[1.0, 2.0], [3.0, 4.0]], [1, 0], [1, 0])
    assert y.shape == [2]
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match=r"k must be 0-D, got shape \[2\]"):
        sess.run(y)
