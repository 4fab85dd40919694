"""`tf.train.Coordinator`, looper threads, timers and arguments of hooks behave as in TensorFlow 1.15."""

import sys
import threading

import pytest
from programs import run_program

import tinytf as tf


def test_errors_that_nobody_handles():
    """Exceptions can be passed to request_stop outside of an except block, which fails in TensorFlow."""
    coordinator = tf.train.Coordinator()
    first = ValueError("x")
    coordinator.request_stop(first)
    coordinator.request_stop(KeyError("y"))
    for call in (coordinator.join, coordinator.raise_requested_exception):
        with pytest.raises(ValueError, match="x") as caught:
            call()
        assert caught.value is first
    assert coordinator.joined
    with pytest.raises(KeyError):
        coordinator.request_stop(KeyError("late"))
    coordinator.request_stop()
    coordinator.clear_stop()
    coordinator.join()


@pytest.mark.parametrize("wrong", [(1, 2), (1, 2, 3), sys.exc_info()])
def test_tuples_that_are_no_error(wrong):
    coordinator = tf.train.Coordinator()
    with pytest.raises(ValueError, match="must return the current exception"):
        coordinator.request_stop(wrong)
    with pytest.raises(TypeError, match="must be an exception"):
        coordinator.request_stop("text")
    assert not coordinator.should_stop()


def test_other_errors_that_just_end_the_threads():
    coordinator = tf.train.Coordinator((KeyError,))
    coordinator.request_stop(tf.errors.OutOfRangeError(None, None, "end"))
    with pytest.raises(tf.errors.OutOfRangeError):
        coordinator.join()


def test_the_error_comes_before_threads_that_go_on():
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    coordinator = tf.train.Coordinator()
    coordinator.request_stop(ValueError("v"))
    with pytest.raises(ValueError, match="v"):
        coordinator.join([thread], stop_grace_period_secs=0.01)
    end.set()
    thread.join()


def test_the_first_of_many_threads_stops_all():
    coordinator, start = tf.train.Coordinator(), threading.Barrier(8)

    def work(number):
        start.wait()
        with coordinator.stop_on_exception():
            if number == 5:
                raise ValueError("five")
            coordinator.wait_for_stop()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    with pytest.raises(ValueError, match="five"):
        coordinator.join(threads)
    assert not any(thread.is_alive() for thread in threads)


_INTERRUPTED = """
import signal, threading
import tinytf as tf

def interrupt(number, frame): raise KeyboardInterrupt

signal.signal(signal.SIGALRM, interrupt)
coordinator, end = tf.train.Coordinator(), threading.Event()
threads = [threading.Thread(target=end.wait) for _ in range(3)]
for thread in threads:
    thread.start()
for _ in range(2):
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        coordinator.join(threads)
    except KeyboardInterrupt:
        print("interrupted", [thread.is_alive() for thread in threads])
    coordinator.request_stop()
end.set()
coordinator.join(threads)
print([thread.is_alive() for thread in threads])
"""


def test_threads_count_as_alive_after_an_interrupt():
    """This also holds on Python versions that consider a thread ended when Ctrl-C interrupts joining it."""
    alive = "interrupted [True, True, True]\n"
    done = run_program(_INTERRUPTED)
    assert (done.stdout, done.stderr) == (2 * alive + "[False, False, False]\n", "")


def test_a_thread_may_join_the_threads_that_it_is_one_of():
    coordinator, found = tf.train.Coordinator(), []

    def stop_all():
        coordinator.request_stop()
        with pytest.raises(RuntimeError, match="threads still running: first$"):
            coordinator.join(stop_grace_period_secs=0.01)
        found.append(coordinator.joined)

    thread = threading.Thread(target=stop_all, name="first")
    coordinator.register_thread(thread)
    thread.start()
    thread.join()
    assert found == [True]
