"""Ctrl-C and other signals during a step: the handler runs at once, the step ends if it raises, and the session
stays usable.
"""

import gc
import os
import signal
import threading
import weakref

import numpy as np
import pytest
from waiting_steps import HeldStep

import tinytf as tf


class _Stop(BaseException):
    """Raised by the tests' handlers."""


@pytest.fixture(autouse=True)
def handlers():
    """Installs Python's default handler for SIGINT, regardless of how the process was started, and restores all
    handlers afterwards.
    """
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGUSR1)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


class _SignalWhen:
    """Sends this process a signal from another thread when `ready()` becomes true."""

    def __init__(self, ready, number=signal.SIGINT):
        self._thread = threading.Thread(target=self._send, args=(ready, number))

    @staticmethod
    def _send(ready, number):
        while not ready():
            pass
        os.kill(os.getpid(), number)

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._thread.join()


def _emptied(sess, queue):
    """Returns whether a step has taken the elements of the queue and thus waits for more."""
    size = queue.size()
    return lambda: sess.run(size) == 0


@pytest.mark.parametrize("way", ["run", "list", "options", "callable", "partial_run"])
def test_ctrl_c_ends_a_waiting_step(sess, queue, way):
    sess.run(queue.enqueue_many([[1.0, 2.0]]))
    out = queue.dequeue_many(3)
    x = tf.placeholder(tf.float32, [])
    y = out + x
    handle = sess.partial_run_setup([y], [x])
    ready = _emptied(sess, queue)
    call = {
        "run": lambda: sess.run(out),
        "list": lambda: sess.run([out, out.op]),
        "options": lambda: sess.run(out, options=tf.RunOptions(timeout_in_ms=600_000)),
        "callable": sess.make_callable(out),
        "partial_run": lambda: sess.partial_run(handle, y, {x: 0.0}),
    }[way]
    with _SignalWhen(ready), pytest.raises(KeyboardInterrupt):
        call()
    # The elements are back in the queue, no step waits for it, and the session is usable.
    sess.run(queue.enqueue(3.0))
    assert sess.run(out).tolist() == [1, 2, 3]


def test_ctrl_c_ends_a_computing_step(sess):
    x = tf.placeholder(tf.float32, [256, 256])
    counter = tf.get_variable("counter", initializer=0, use_resource=True)
    begun = counter.assign_add(1)
    with tf.control_dependencies([begun]):
        y = tf.identity(x)
    for _ in range(20_000):  # would take minutes without the interrupt
        y = tf.matmul(y, x)
    ones = np.eye(256, dtype=np.float32)
    sess.run(tf.global_variables_initializer())
    read = sess.make_callable(counter.read_value())
    for step in range(1, 3):
        with _SignalWhen(lambda step=step: read() == step), pytest.raises(KeyboardInterrupt):
            sess.run(y, {x: ones})
        assert sess.run(counter) == step


def test_ctrl_c_ends_a_close_that_waits(sess):
    step = HeldStep(sess)
    with _SignalWhen(sess._engine.closed), pytest.raises(KeyboardInterrupt):
        sess.close()
    assert step.is_alive()
    step.let_go()
    sess.close()
    assert sess.stats().active_runs == 0
    assert isinstance(step.outcome(), tf.errors.CancelledError)


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_session_whose_close_was_interrupted_leaves_its_name():
    config = tf.ConfigProto()
    config.experimental.session_metadata.name = "interrupted"

    def interrupted():
        with tf.Graph().as_default():  # the graph references the step's function, which references the step
            sess = tf.Session(config=config)
            step = HeldStep(sess)
        with _SignalWhen(sess._engine.closed), pytest.raises(KeyboardInterrupt):
            sess.close()
        step.let_go()
        step.join()
        return weakref.ref(sess)

    dropped = interrupted()
    gc.collect()
    assert dropped() is None
    tf.Session(config=config).close()


def test_a_handler_may_close_the_session_that_is_closing(sess):
    step = HeldStep(sess)

    def handler(number, frame):
        sess.close()
        step.let_go()

    signal.signal(signal.SIGUSR1, handler)
    with _SignalWhen(sess._engine.closed, signal.SIGUSR1):
        sess.close()
    assert sess.stats().active_runs == 0
    assert isinstance(step.outcome(), tf.errors.CancelledError)


def test_a_handler_that_returns_lets_the_step_go_on(sess, queue):
    sess.run(queue.enqueue(1.0))
    put, out = queue.enqueue(2.0), queue.dequeue_many(2)
    calls = []

    def handler(number, frame):
        calls.append(number)
        sess.run(put)  # a step within the step

    signal.signal(signal.SIGUSR1, handler)
    with _SignalWhen(_emptied(sess, queue), signal.SIGUSR1):
        assert sess.run(out).tolist() == [1, 2]
    assert calls == [signal.SIGUSR1]


def test_a_handler_cannot_go_on_with_the_partial_run_that_it_interrupts(sess, queue):
    x = tf.placeholder(tf.float32, [])
    out, put = queue.dequeue_many(2), queue.enqueue(2.0)
    y = tf.reduce_sum(out) + x
    handle = sess.partial_run_setup([out, y], [x])
    sess.run(queue.enqueue(1.0))
    caught = []

    def handler(number, frame):
        try:
            sess.partial_run(handle, y, {x: 1.0})
        except tf.errors.FailedPreconditionError as error:
            caught.append(error.message)
        sess.run(put)

    signal.signal(signal.SIGUSR1, handler)
    with _SignalWhen(_emptied(sess, queue), signal.SIGUSR1):
        assert sess.partial_run(handle, out).tolist() == [1, 2]
    assert len(caught) == 1 and caught[0].startswith("This thread is already in a call of this partial run")
    assert sess.partial_run(handle, y, {x: 1.0}) == 4


def test_what_a_handler_raises_comes_out_of_run(sess, queue):
    sess.run(queue.enqueue(1.0))

    def handler(number, frame):
        raise _Stop("enough")

    signal.signal(signal.SIGUSR1, handler)
    with _SignalWhen(_emptied(sess, queue), signal.SIGUSR1), pytest.raises(_Stop, match="^enough$"):
        sess.run(queue.dequeue_many(2))
    assert sess.run(queue.dequeue()) == 1


def test_a_handler_may_close_the_session(queue):
    sess = tf.Session()
    sess.run(queue.enqueue(1.0))
    signal.signal(signal.SIGUSR1, lambda number, frame: sess.close())
    ready = _emptied(sess, queue)
    out = queue.dequeue_many(2)
    with _SignalWhen(ready, signal.SIGUSR1), pytest.raises(tf.errors.CancelledError):
        sess.run(out)
    with pytest.raises(RuntimeError, match="^Attempted to use a closed Session.$"):
        sess.run(out)


def test_a_step_on_another_thread_is_left_alone(sess, queue):
    sess.run(queue.enqueue(1.0))
    results = []
    out, put, ready = queue.dequeue_many(2), queue.enqueue(2.0), _emptied(sess, queue)
    thread = threading.Thread(target=lambda: results.append(sess.run(out).tolist()))
    thread.start()
    while not ready():
        pass
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    sess.run(put)
    thread.join()
    assert results == [[1, 2]]


def test_an_interrupted_step_changes_no_variable_half(sess, queue):
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    sess.run(tf.global_variables_initializer())
    sess.run(queue.enqueue(1.0))
    add = v.assign_add(tf.reduce_sum(queue.dequeue_many(2)))
    with _SignalWhen(_emptied(sess, queue)), pytest.raises(KeyboardInterrupt):
        sess.run(add)
    assert sess.run(v) == 1
