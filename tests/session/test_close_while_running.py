"""Closing a session while other threads are in its `run`."""

import threading

import numpy as np
import pytest

import tinytf as tf

_ENDS = (RuntimeError, tf.errors.CancelledError)  # of a step that starts late, of a started one


class _Runner(threading.Thread):
    """Calls a function repeatedly until it fails; `count` and `error` tell the number of calls and the reason."""

    def __init__(self, call, begun):
        super().__init__()
        self._call, self._begun = call, begun
        self.count, self.error = 0, None

    def run(self):
        try:
            while True:
                self._call()
                self.count += 1
                self._begun.release()
        except Exception as e:  # reported to the asserting thread
            self.error = e


def _runners(calls):
    begun = threading.Semaphore(0)
    runners = [_Runner(call, begun) for call in calls]
    for runner in runners:
        runner.start()
    for _ in range(3 * len(runners)):
        begun.acquire()
    return runners


@pytest.mark.parametrize("size", [2, 512])
@pytest.mark.parametrize("threads", [1, 4])
def test_steps_end_and_close_returns(size, threads):
    x = tf.placeholder(tf.float32, [None, None])
    v = tf.get_variable("v", initializer=0, use_resource=True)
    y, add = tf.matmul(tf.matmul(x, x), x), v.assign_add(1)
    fed = np.ones([size, size], np.float32)
    for _ in range(5):
        sess = tf.Session()
        sess.run(v.initializer)
        runners = _runners([lambda: sess.run([y, add], {x: fed})] * threads)  # noqa: B023
        sess.close()
        sess.close()
        assert sess._engine.closed()
        for runner in runners:
            runner.join()
            assert isinstance(runner.error, _ENDS), runner.error
            if isinstance(runner.error, RuntimeError):
                assert str(runner.error) == "Attempted to use a closed Session."
            else:
                assert runner.error.message.startswith(("Session has been closed.", "Run call was cancelled"))
        with pytest.raises(RuntimeError, match="^Attempted to use a closed Session.$"):
            sess.run(y, {x: fed})


def test_callables_end_with_the_runtimes_error():
    x = tf.placeholder(tf.float32, [None, None])
    sess = tf.Session()
    call = sess.make_callable(tf.matmul(x, x))
    with pytest.raises(tf.errors.InvalidArgumentError):
        call()
    call = sess.make_callable(tf.reduce_sum(tf.ones([100, 100])))
    runners = _runners([call] * 2)
    sess.close()
    for runner in runners:
        runner.join()
        assert isinstance(runner.error, tf.errors.CancelledError)


def test_the_end_of_a_block_closes_under_running_threads():
    c = tf.constant(1) + 1
    with tf.Session() as sess:
        runners = _runners([lambda: sess.run(c)] * 4)
    for runner in runners:
        runner.join()
        assert isinstance(runner.error, _ENDS)


def test_many_threads_close_at_once():
    c = tf.constant(1) + 1
    for _ in range(20):
        sess = tf.Session()
        runners = _runners([lambda: sess.run(c)] * 2)  # noqa: B023
        closers = [threading.Thread(target=sess.close) for _ in range(4)]
        for closer in closers:
            closer.start()
        for thread in (*closers, *runners):
            thread.join()
        assert sess._engine.closed() and all(isinstance(runner.error, _ENDS) for runner in runners)


def test_other_sessions_go_on():
    v = tf.get_variable("v", initializer=0, use_resource=True)
    add = v.assign_add(1)
    with tf.Session() as kept:
        kept.run(v.initializer)
        closed = tf.Session()
        closed.run(v.initializer)
        runners = _runners([lambda: closed.run(add), lambda: kept.run(add)])
        closed.close()
        runners[0].join()
        before = kept.run(v)
        while kept.run(v) == before:  # the other thread is still counting
            pass
        assert runners[1].error is None
    runners[1].join()
    assert isinstance(runners[1].error, _ENDS)


def test_steps_that_wait_are_cancelled():
    queue = tf.FIFOQueue(1, tf.int32)
    put, element = queue.enqueue(1), queue.dequeue()
    sess = tf.Session()
    runners = _runners([lambda: sess.run(element), lambda: sess.run(put)])
    waiting = [_Runner(lambda: sess.run(element), threading.Semaphore(0)) for _ in range(3)]
    for runner in waiting:
        runner.start()
    sess.close()
    for runner in (*runners, *waiting):
        runner.join()
        assert isinstance(runner.error, _ENDS), runner.error
