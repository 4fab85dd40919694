"""Traced functions in asynchronous sessions run after all earlier operations and finish before the call returns."""

import contextvars
import threading

import numpy as np
import pytest

import tinytf as tf


@pytest.fixture
def session():
    with tf.EagerSession(async_=True) as made:
        yield made


def test_values_of_operations_before_and_after(session):
    @tf.function
    def f(x):
        return x * 2.0, x + 1.0

    x = tf.constant([1.0, 2.0]) + 1.0
    doubled, more = f(x)
    total = doubled + more
    np.testing.assert_array_equal(total, [7.0, 10.0])
    assert session.pending_ops == 0


def test_a_call_waits_for_what_is_pending(session, held):
    @tf.function
    def f(x):
        return x + 1.0

    x = tf.constant(1.0) + 1.0
    assert session.pending_ops >= 1
    thread = threading.Thread(target=held)  # runs while the call waits
    thread.start()
    assert float(f(x)) == 3.0
    thread.join()


def test_variables_change_in_the_programs_order(session):
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        v.assign_add(x)
        return v * 10.0

    v.assign(2.0)
    y = f(tf.constant(1.0))
    v.assign_add(100.0)
    z = f(tf.constant(1.0))
    assert (float(y), float(z), v.numpy()) == (30.0, 1040.0, 104.0)


def test_variables_that_functions_make(session):
    made = []

    @tf.function
    def f(x):
        if not made:
            made.append(tf.Variable(x * 2.0))
            made.append(tf.Variable(5.0))
        return made[0].assign_add(x) + made[1]

    assert [float(f(tf.constant(1.0) + 1.0)) for _ in range(2)] == [11.0, 13.0]


def test_an_error_of_the_function_comes_from_the_call(session):
    @tf.function
    def f(x, i):
        return tf.gather(x, i)

    x = tf.constant([1.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        f(x, tf.constant(5))
    assert "test_function_async.py" in str(caught.value)
    session.synchronize()  # the error was reported, so the session is usable again
    assert float(f(x, tf.constant(1)) + 1.0) == 3.0


def test_an_error_before_the_call_comes_from_the_call_and_stays(session):
    calls = []

    @tf.function
    def f(x):
        calls.append(1)
        return x + 1.0

    good = tf.constant(1.0)
    assert float(f(good)) == 2.0
    bad = tf.reshape(tf.constant([1.0, 2.0]), [3])
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match="reshape|Reshape"):
            f(good)
    session.clear_error()
    assert float(f(good)) == 2.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="reshape|Reshape"):
        f(bad)  # the call needs the shape, which failed
    session.clear_error()
    assert float(f(good)) == 2.0
    assert len(calls) == 1


def test_gradients(session):
    w = tf.Variable(3.0)

    @tf.function
    def f(x):
        return w * w * x

    x = tf.constant(1.0) + 1.0
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x) * 2.0
        by_w, by_x = tape.gradient(y, [w, x])
    assert (float(y), float(by_w), float(by_x)) == (36.0, 24.0, 18.0)
    assert float(outer.gradient(by_x, w)) == 12.0


def test_training_as_one_function(session):
    w = tf.Variable([0.0, 0.0])
    optimizer = tf.train.AdamOptimizer(0.1)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.reduce_sum(w * x, 1) - y))
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])
        return loss

    x = tf.constant(np.random.RandomState(0).randn(32, 2).astype(np.float32))
    y = tf.constant((x.numpy() @ [2.0, -1.0]).astype(np.float32))
    losses = [float(step(x, y)) for _ in range(100)]
    assert losses[-1] < 0.01 < losses[0]


def test_close_during_a_call(session, held):
    """Close waits for a call that started before it and refuses later ones."""

    @tf.function
    def f(x):
        return x + 1.0

    x = tf.constant(1.0)
    f.get_concrete_function(x)
    told = []

    def call():
        try:
            told.append(float(f(x)))
        except tf.eager.SessionClosedError:
            told.append("closed")

    calling = threading.Thread(target=contextvars.copy_context().run, args=(call,))
    closing = threading.Thread(target=session.close)
    calling.start()
    closing.start()
    while session.stats().state == "open":
        pass
    held()
    closing.join()
    calling.join()
    assert told in ([2.0], ["closed"])
    assert session.stats().live == 0


def test_calls_after_close(session):
    @tf.function
    def f(x):
        return x + 1.0

    x = tf.constant(1.0)
    f(x)
    session.close()
    with pytest.raises(tf.eager.SessionClosedError):
        f(x)
