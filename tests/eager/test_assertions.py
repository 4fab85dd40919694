"""Assertions in eager execution return nothing if they hold, and otherwise fail immediately with TensorFlow's
report.
"""

import pytest

import tinytf as tf


@pytest.fixture(autouse=True)
def _executed(eager):
    pass


def _fails(text, function, *args, kind=tf.errors.InvalidArgumentError, **kwargs):
    with pytest.raises(kind) as caught:
        function(*args, **kwargs)
    assert getattr(caught.value, "message", str(caught.value)) == text


def test_comparisons_show_where_they_fail():
    v = tf.constant([1, 2, 3])
    assert tf.assert_equal(v, v) is None and tf.assert_equal(v, v + 0) is None
    _fails(
        "Condition x == y did not hold.\nIndices of first 3 different values:\n[[0]\n [1]\n [2]]\nCorresponding x values:\n"
        "[1 2 3]\nCorresponding y values:\n[2 3 4]\nFirst 3 elements of x:\n[1 2 3]\nFirst 3 elements of y:\n[2 3 4]",
        tf.assert_equal,
        v,
        v + 1,
    )


def test_comparisons_of_other_shapes():
    _fails(
        "msg\nCondition x == y did not hold.\nFirst 3 elements of x:\n[1 2 3]\nFirst 1 elements of y:\n[5]",
        tf.assert_equal,
        [1, 2, 3],
        5,
        message="msg",
    )


def test_how_many_elements_are_shown():
    m = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    _fails(
        "Condition x < y did not hold.\nIndices of first 4 different values:\n[[0 0]\n [0 1]\n [1 0]\n [1 1]]\n"
        "Corresponding x values:\n[1. 2. 3. 4.]\nCorresponding y values:\n[1. 2. 3. 4.]\nFirst 4 elements of x:\n"
        "[1. 2. 3. 4.]\nFirst 4 elements of y:\n[1. 2. 3. 4.]",
        tf.assert_less,
        m,
        m,
        summarize=-1,
    )
    _fails("Condition x < y did not hold.", tf.assert_less, m, m, summarize=0)
    _fails("own\n[[1. 2.]]", tf.assert_less, m, m, data=["own", m], summarize=1)


def test_signs():
    v = tf.constant([1, 2, 3])
    assert tf.assert_positive(v) is None
    _fails(
        "\nCondition x < 0 did not hold element-wise:\nx (shape=(3,) dtype=int32) = \n[1 2 3]", tf.assert_negative, v
    )


def test_nearness():
    m = tf.constant([1.0, 2.0, 3.0, 4.0])
    assert tf.debugging.assert_near(m, m) is None
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.debugging.assert_near(m, m + 1.0)
    assert (
        "x and y not equal to tolerance rtol = tf.Tensor(1.1920929e-06, shape=(), dtype=float32)"
        in caught.value.message
    )
    assert "1.0, 2.0, 3.0, ...\nb'y (shape=(4,) dtype=float32) = '\n2.0, 3.0, 4.0, ..." in caught.value.message


def test_assert():
    assert tf.Assert(True, [1]) is None
    assert tf.Assert(tf.constant(True), [1]) is None
    _fails(
        "Expected 'False' to be true. Summarized data: 1.0, 2.0, 3.0, ...\nb'abc'",
        tf.Assert,
        False,
        [[1.0, 2.0, 3.0, 4.0], "abc"],
    )
    _fails(
        "Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: 1, 2, ...",
        tf.Assert,
        tf.constant(False),
        [[1, 2, 3]],
        summarize=2,
    )


def test_ranks_and_types():
    m = tf.constant([[1.0]])
    assert tf.assert_rank(m, 2) is None
    text = ".  Tensor  must have rank 1.  Received rank 2, shape (1, 1)"
    _fails(text, tf.assert_rank, m, 1, kind=ValueError)
    text = ".  Tensor  must have rank in (0, 1).  Received rank 2, shape (1, 1)"
    _fails(text, tf.assert_rank_in, m, [0, 1], kind=ValueError)
    assert tf.assert_type(m, tf.float32) is None
    _fails(" tensor must be of type <dtype: 'int32'>", tf.assert_type, m, tf.int32, kind=TypeError)
