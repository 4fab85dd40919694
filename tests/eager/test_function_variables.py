"""Variables in traced functions: captured ones, and ones created by the first call."""

import numpy as np
import pytest

import tinytf as tf
import tinytf.contrib.eager as tfe

pytestmark = pytest.mark.usefixtures("eager")


def test_outer_variables_are_read_and_changed_in_place():
    v = tf.Variable(1.0)

    @tf.function
    def add(x):
        v.assign_add(x)
        return v * 10.0

    assert float(add(tf.constant(2.0))) == 30.0
    v.assign(0.0)
    assert float(add(tf.constant(2.0))) == 20.0
    assert v.numpy() == 2.0


def test_variables_are_made_at_the_first_call():
    made = []

    @tf.function
    def count(x):
        if not made:
            made.append(tf.Variable(5.0))
        return made[0].assign_add(x)

    assert [float(count(tf.constant(1.0))) for _ in range(3)] == [6.0, 7.0, 8.0]
    assert len(made) == 1
    assert made[0].numpy() == 8.0


def test_initial_values_are_computed_outside():
    made = []

    @tf.function
    def f():
        if not made:
            made.append(tf.Variable(tf.ones([2]) * 3.0))
            made.append(tf.Variable(lambda: tf.zeros([2]) + 1.0))
        return made[0] + made[1]

    np.testing.assert_array_equal(f(), [4.0, 4.0])


def test_initial_values_may_depend_on_the_first_arguments():
    made = []

    @tf.function
    def f(x):
        if not made:
            made.append(tf.Variable(x * 2.0))
            made.append(tf.Variable(lambda: made[0].read_value() + 1.0))
            made.append(tf.Variable(10.0))
        made[1].assign_add(1.0)
        return made[0] + made[1] + made[2]

    assert [float(f(tf.constant(x))) for x in (1.0, 5.0)] == [16.0, 17.0]
    assert [float(v) for v in made] == [2.0, 5.0, 10.0]
    assert made[0].shape == []


def test_such_variables_have_values_after_the_first_call_only():
    made = []

    @tf.function
    def f(x):
        if not made:
            made.append(tf.Variable(tf.reshape(x, [3])))
        return made[0] + 1.0

    with pytest.raises(ValueError, match="Unable to lift tensor"):
        f.get_concrete_function(tf.TensorSpec([None], tf.float32))
    with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized"):
        made[0].read_value()
    with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized"):
        f(tf.constant([1.0, 2.0, 3.0]))  # another trace, which reuses the existing variable


def test_a_first_call_that_fails_can_be_repeated():
    made = []

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x):
        if not made:
            made.append(tf.Variable(tf.reshape(x, [3])))
        return made[0] + x

    with pytest.raises(tf.errors.InvalidArgumentError):
        f([1.0, 2.0])
    assert f([1.0, 2.0, 3.0]).numpy().tolist() == [2.0, 4.0, 6.0]
    assert f([1.0, 1.0, 1.0]).numpy().tolist() == [2.0, 3.0, 4.0]
    assert f.get_concrete_function()(tf.zeros([3])).numpy().tolist() == [1.0, 2.0, 3.0]


def test_gradients_of_the_first_call_by_variables_that_it_makes():
    made = []

    @tf.function
    def f(x):
        if not made:
            made.append(tf.Variable(x * 2.0))
        return made[0] * made[0] * x

    x = tf.constant(3.0)
    for _ in range(2):
        with tf.GradientTape() as tape:
            y = f(x)
        assert float(tape.gradient(y, made[0])) == 36.0


def test_functions_of_every_trace_compute_initial_values_outside():
    modes = []

    def initial_value():
        modes.append(tf.executing_eagerly())
        return 3.0

    f = tfe.defun(lambda x: tf.Variable(initial_value).read_value() * x)
    assert float(f(tf.constant(2.0))) == float(f(tf.constant(2.0))) == 6.0
    assert modes == [True]


def test_functions_of_every_call_need_values_from_outside():
    f = tfe.defun(lambda x: tf.Variable(x + 1.0).read_value())
    with pytest.raises(ValueError, match="Unable to lift tensor"):
        f(tf.constant(1.0))


def test_variables_cannot_be_made_at_every_call():
    @tf.function
    def f():
        return tf.Variable(1.0).read_value()

    with pytest.raises(ValueError, match="tf.function-decorated function tried to create variables on non-first call."):
        f()


def test_init_scope_leaves_the_function():
    inside = []

    @tf.function
    def f(x):
        with tf.init_scope():
            inside.append((tf.executing_eagerly(), float(tf.constant(1.0) + 1.0)))
        return x

    f(tf.constant(1.0))
    assert inside == [(True, 2.0)]


def test_tapes_watch_the_variables_that_a_function_reads():
    w = tf.Variable([1.0, 2.0])

    @tf.function
    def loss(x):
        return tf.reduce_sum(w * w * x)

    for _ in range(2):  # traced first, then run
        with tf.GradientTape() as tape:
            y = loss(tf.constant([1.0, 3.0]))
        np.testing.assert_array_equal(tape.gradient(y, w), [2.0, 12.0])
        assert len(tape.watched_variables()) == 1


def test_second_derivatives_by_variables():
    w = tf.Variable(3.0)

    @tf.function
    def f(x):
        return w * w * w * x

    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = f(tf.constant(2.0))
        dw = inner.gradient(y, w)
    assert float(dw) == 54.0
    assert float(outer.gradient(dw, w)) == 36.0


def test_a_tape_inside():
    w = tf.Variable(3.0)

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            y = w * w * x
        return tape.gradient(y, w)

    assert float(slope(tf.constant(2.0))) == 12.0


def test_variables_as_arguments():
    calls = []

    @tf.function
    def double(v):
        calls.append(v)
        v.assign(v * 2.0)

    a, b = tf.Variable(1.0), tf.Variable(10.0)
    for v in (a, b, a):
        double(v)
    assert (a.numpy(), b.numpy()) == (4.0, 20.0)
    assert len(calls) == 2


def test_a_training_step_as_one_function():
    w = tf.Variable([0.0, 0.0])

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.reduce_sum(w * x, 1) - y))
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    x = tf.constant(np.random.RandomState(0).randn(32, 2).astype(np.float32))
    y = tf.constant((x.numpy() @ [2.0, -1.0]).astype(np.float32))
    losses = [float(step(x, y)) for _ in range(100)]
    assert losses[-1] < 1e-4 < losses[0]
    np.testing.assert_allclose(w.numpy(), [2.0, -1.0], atol=0.01)
