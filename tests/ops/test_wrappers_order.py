"""Groups, tuples and assertions: execution order and errors."""

import numpy as np
import pytest

import tinytf as tf


def test_a_group_waits_for_all():
    a, b = tf.constant(1, name="a"), tf.constant(2, name="b")
    group = tf.group(a, [b.op, {"c": a}], name="both")
    assert (group.name, group.type) == ("both", "NoOp")
    assert {op.name for op in group.control_inputs} == {"a", "b"}
    assert tf.group().control_inputs == []


def test_a_group_of_several_devices_has_a_part_for_each():
    with tf.device("/cpu:0"):
        a = tf.constant(1)
    b = tf.constant(2)
    root = tf.group(a, b)
    assert [op.type for op in root.control_inputs] == ["NoOp", "NoOp"]
    assert sorted(op.device for op in root.control_inputs) == ["", "/device:CPU:0"]


def test_what_cannot_be_grouped():
    with pytest.raises(TypeError, match="Expected tf.group\\(\\) expected Tensor arguments not '1'"):
        tf.group(1)
    with pytest.raises(ValueError, match="Unknown keyword arguments: foo"):
        tf.group(foo=1)


def test_tuples():
    a, b = tf.constant(1), tf.constant(2)
    x, none, y = tf.tuple([a, None, b], control_inputs=[tf.no_op(name="other")])
    assert none is None
    [gate] = x.op.control_inputs
    assert gate is y.op.control_inputs[0]
    assert {op.name for op in gate.control_inputs} == {a.op.name, b.op.name, "other"}
    with tf.Session() as sess:
        assert sess.run([x, y]) == [1, 2]
    with pytest.raises(ValueError, match="Must have at least one Tensor"):
        tf.tuple([None])
    with pytest.raises(TypeError, match="Control input must be Operation or Tensor: 1"):
        tf.tuple([a], control_inputs=[1])


@pytest.mark.parametrize(
    ("check", "arguments"),
    [
        (tf.assert_equal, ([1, 2], [1, 3])),
        (tf.assert_none_equal, ([1, 2], [3, 2])),
        (tf.assert_less, ([1, 2], 2)),
        (tf.assert_less_equal, ([1, 3], 2)),
        (tf.assert_greater, ([1, 2], 1)),
        (tf.assert_greater_equal, ([0, 2], 1)),
        (tf.assert_positive, ([1, 0],)),
        (tf.assert_negative, ([-1, 0],)),
        (tf.assert_non_negative, ([0, -1],)),
        (tf.assert_non_positive, ([0, 1],)),
    ],
)
def test_assertions(check, arguments):
    with pytest.raises(tf.errors.InvalidArgumentError, match="did not hold element-wise"):
        check(*arguments, message="known at once")
    x = tf.placeholder(tf.int32, [2])
    fails = check(x, *arguments[1:], message="so it is")
    with tf.Session() as sess:
        with pytest.raises(tf.errors.InvalidArgumentError, match="so it is"):
            sess.run(fails, {x: arguments[0]})


def test_assertions_that_hold():
    x = tf.placeholder(tf.float32, [2])
    checks = [tf.assert_positive(x), tf.assert_less(x, 5.0), tf.assert_near(x, x + 1e-8), tf.assert_equal(x, x)]
    with tf.control_dependencies(checks):
        y = tf.identity(x)
    with tf.Session() as sess:
        np.testing.assert_array_equal(sess.run(y, {x: [1, 2]}), [1, 2])
        with pytest.raises(tf.errors.InvalidArgumentError, match="Condition x > 0 did not hold"):
            sess.run(y, {x: [1, -2]})


def test_ranks_and_types():
    x, r = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32)
    with pytest.raises(ValueError, match="must have rank 3.  Received rank 2"):
        tf.assert_rank(x, 3)
    with pytest.raises(ValueError, match="must have rank at least 3.  Received rank 2"):
        tf.assert_rank_at_least(x, 3)
    with pytest.raises(
        ValueError, match=r"must have rank in \(array\(0, dtype=int32\), array\(1, dtype=int32\)\).  Received rank 2"
    ):
        tf.assert_rank_in(x, [0, 1])
    with pytest.raises(ValueError, match="Expected scalar shape"):
        tf.assert_scalar(x)
    with pytest.raises(TypeError, match='Expected "x" to be integer type'):
        tf.assert_integer(x)
    with pytest.raises(TypeError, match="must be of type"):
        tf.assert_type(x, tf.int32)
    check = tf.assert_rank(r, 1)
    with tf.Session() as sess:
        sess.run(check, {r: [1.0]})
        with pytest.raises(tf.errors.InvalidArgumentError, match="must have rank"):
            sess.run(check, {r: 1.0})


def test_order_of_elements():
    with tf.Session() as sess:
        for values, rising, strict in (
            ([1, 2, 2], True, False),
            ([1, 2, 3], True, True),
            ([2, 1], False, False),
            ([1], True, True),
        ):
            assert sess.run(tf.is_non_decreasing(values)) == rising
            assert sess.run(tf.is_strictly_increasing(values)) == strict
