"""Jacobians computed by `tf.GradientTape`."""

import numpy as np
import pytest

import tinytf as tf

pytestmark = pytest.mark.usefixtures("eager")


def test_jacobian():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stack([x[0] * x[1], x[2] * x[2]])
    np.testing.assert_array_equal(tape.jacobian(y, x).numpy(), [[2.0, 1.0, 0.0], [0.0, 0.0, 6.0]])


def test_shapes_are_those_of_target_and_sources():
    x, z = tf.constant(np.ones([2, 3], np.float32)), tf.constant(1.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.matmul(x, x, transpose_b=True)
    found = tape.jacobian(y, {"x": x, "z": z})
    assert found["x"].shape.as_list() == [2, 2, 2, 3]
    assert found["z"] is None
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), np.sum(found["x"].numpy(), (0, 1)))


def test_a_tape_gives_one_jacobian():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.jacobian(y, x)
    with pytest.raises(RuntimeError, match="^GradientTape.gradient can only be called once on non-persistent tapes.$"):
        tape.jacobian(y, x)


@pytest.mark.parametrize("method", ["jacobian", "batch_jacobian"])
def test_loops_need_a_persistent_tape(method):
    x = tf.constant([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(
        RuntimeError, match="GradientTape must be created with persistent=True to compute the " + method
    ):
        getattr(tape, method)(y, x, experimental_use_pfor=False)


def test_batch_jacobian():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    expected = [[[2.0, 0.0], [0.0, 4.0]], [[6.0, 0.0], [0.0, 8.0]]]
    np.testing.assert_array_equal(tape.batch_jacobian(y, x).numpy(), expected)


def test_batches_are_of_one_size():
    x, y = tf.constant(np.ones([2, 3], np.float32)), tf.constant(np.ones([4, 3], np.float32))
    with tf.GradientTape() as tape:
        tape.watch(x)
    with pytest.raises(
        ValueError, match=r"Need first dimension of target shape \(\(4, 3\)\) and source shape \(\(2, 3\)\) to match"
    ):
        tape.batch_jacobian(y, x)


def test_unconnected_batches():
    x = tf.constant(np.ones([2, 3], np.float32))
    with tf.GradientTape() as tape:
        tape.watch(x)
    assert tape.batch_jacobian(tf.constant(np.ones([2, 1], np.float32)), x) is None
