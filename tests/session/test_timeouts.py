"""Time limits of steps: which limit applies, what it ends, and no effect on other steps."""

import contextlib
import threading

import numpy as np
import pytest

import tinytf as tf

_TEXT = r"^Timed out waiting for notification(\n|$)"


def _options(timeout_in_ms):
    return tf.RunOptions(timeout_in_ms=timeout_in_ms)


def _long_chain(x):
    """Much more than a millisecond of work, in many nodes."""
    for _ in range(400):
        x = tf.matmul(x, x)
    return x


def test_a_waiting_step_ends_in_time(sess, queue):
    out = queue.dequeue()
    with pytest.raises(tf.errors.DeadlineExceededError, match=_TEXT):
        sess.run(out, options=_options(1))
    sess.run(queue.enqueue(3.0))
    assert sess.run(out) == 3  # no cancelled step is still queued before it
    assert sess.run(queue.size()) == 0


def test_elements_that_come_as_the_time_is_up_are_not_lost(sess, queue):
    nothing, put, out = tf.FIFOQueue(1, tf.float32).dequeue(), queue.enqueue(1.0), queue.dequeue()
    puts, soon = 2000, _options(1)

    def put_at_all_phases_of_a_wait():
        for i in range(puts):
            with contextlib.suppress(tf.errors.DeadlineExceededError):
                sess.run(nothing, options=soon)
            sum(range(i * 61 % 10_000))
            sess.run(put)

    def take(taken):
        while putting.is_alive():
            with contextlib.suppress(tf.errors.DeadlineExceededError):
                taken.append(sess.run(out, options=soon))

    putting = threading.Thread(target=put_at_all_phases_of_a_wait)
    putting.start()
    taken = []
    takers = [threading.Thread(target=take, args=[taken]) for _ in range(4)]
    for taker in takers:
        taker.start()
    for taker in takers:
        taker.join()
    assert len(taken) + sess.run(queue.size()) == puts


def test_a_batch_that_was_begun_is_put_back(sess, queue):
    sess.run(queue.enqueue_many([[1.0, 2.0]]))
    with pytest.raises(tf.errors.DeadlineExceededError, match=_TEXT):
        sess.run(queue.dequeue_many(3), options=_options(1))
    assert sess.run(queue.dequeue_many(2)).tolist() == [1, 2]


def test_a_computing_step_ends_in_time(sess):
    x = tf.placeholder(tf.float32, [128, 128])
    y = _long_chain(x)
    zeros = np.zeros([128, 128], np.float32)
    for _ in range(5):  # the first steps of a plan are measured
        with pytest.raises(tf.errors.DeadlineExceededError, match=_TEXT):
            sess.run(y, {x: zeros}, options=_options(1))
    assert not sess.run(y, {x: zeros}).any()


def test_the_configuration_limits_every_step(queue):
    out, put = queue.dequeue(), queue.enqueue(1.0)
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=1)) as sess:
        for run in (lambda: sess.run(out), lambda: sess.run([out]), sess.make_callable(out)):
            with pytest.raises(tf.errors.DeadlineExceededError, match=_TEXT):
                run()
        sess.run(put, options=_options(600_000))
        assert sess.run(out, options=_options(600_000)) == 1


def test_the_steps_own_limit_goes_before_the_configurations(queue):
    patient = {"options": _options(600_000)}
    two, size, put, nothing = (
        queue.dequeue_many(2),
        queue.size(),
        queue.enqueue(1.0),
        tf.FIFOQueue(1, "int32").dequeue(),
    )
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=1)) as sess:
        sess.run(put, **patient)
        results = []
        thread = threading.Thread(target=lambda: results.append(sess.run(two, **patient).tolist()))
        thread.start()
        while sess.run(size, **patient) > 0:
            pass
        with pytest.raises(tf.errors.DeadlineExceededError):  # the other step has waited longer by now
            sess.run(nothing)
        sess.run(put, **patient)
        thread.join()
        assert results == [[1, 1]]


def test_zero_and_less_are_no_limit(sess):
    x = tf.placeholder(tf.float32, [128, 128])
    y = _long_chain(x)
    zeros = np.zeros([128, 128], np.float32)
    for none in (0, -1):
        assert not sess.run(y, {x: zeros}, options=_options(none)).any()
        with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=none)) as other:
            assert not other.run(y, {x: zeros}).any()


def test_the_largest_numbers_are_long_limits(sess):
    x = tf.placeholder(tf.float32, [])
    y = x + 1.0
    for long in (10**13, 2**63 - 1):
        assert sess.run(y, {x: 1.0}, options=_options(long)) == 2
        with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=long)) as other:
            assert other.run(y, {x: 1.0}) == 2


def test_limits_beyond_the_reach_of_the_clock(sess, queue):
    longest = 2**63 - 1
    assert sess.run(tf.constant(1), options=_options(longest)) == 1
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=longest)) as other:
        assert other.run(tf.constant(1)) == 1
        with pytest.raises(tf.errors.DeadlineExceededError, match=_TEXT):
            other.run(queue.dequeue(), options=_options(1))


def test_an_error_goes_before_the_time_that_is_up(sess, queue):
    x = tf.placeholder(tf.float32)
    bad = tf.check_numerics(x, "bad")
    with pytest.raises(tf.errors.InvalidArgumentError, match="bad : Tensor had NaN values"):
        sess.run([queue.dequeue(), bad], {x: np.nan}, options=_options(60_000))


def test_steps_of_other_threads_go_on(sess, queue):
    out = queue.dequeue()
    results = []
    thread = threading.Thread(target=lambda: results.append(sess.run(out)))
    thread.start()
    for _ in range(3):
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(queue.dequeue_many(5), options=_options(1))
    sess.run(queue.enqueue(7.0))
    thread.join()
    assert results == [7]


def test_partial_runs_are_limited_by_the_configuration(queue):
    x = tf.placeholder(tf.float32, [])
    y = queue.dequeue() + x
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=1)) as sess:
        handle = sess.partial_run_setup([y], [x])
        with pytest.raises(tf.errors.DeadlineExceededError, match="^Timed out waiting for notification"):
            sess.partial_run(handle, y, {x: 1.0})
        with pytest.raises(tf.errors.InvalidArgumentError, match="Must run 'setup'"):
            sess.partial_run(handle, y)
