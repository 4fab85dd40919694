"""Reading a value while another thread or a signal handler closes it returns the value or raises SessionClosedError."""

import contextvars
import sys
import threading

import numpy as np
import pytest
from programs import run_program

import tinytf as tf
from tinytf._gen import gen_ops

SessionClosedError = tf.eager.SessionClosedError
ROUNDS = 300

READERS = {
    "numpy": lambda t: t.numpy().tolist() == [2.0] * 4,
    "a copy": lambda t: t.numpy(copy=True).tolist() == [2.0] * 4,
    "shape": lambda t: t.shape.as_list() == [4],
    "len": lambda t: len(t) == 4,
    "memoryview": lambda t: memoryview(t).tolist() == [2.0] * 4,
    "DLPack": lambda t: np.from_dlpack(t).tolist() == [2.0] * 4,
    "an operation": lambda t: (t + t).numpy().tolist() == [4.0] * 4,
    "a list of inputs": lambda t: gen_ops.add_n([t, t]).numpy().tolist() == [4.0] * 4,
    "text": lambda t: bool(repr(t)),
    "iteration": lambda t: [float(x) for x in t] == [2.0] * 4,
    "detach": lambda t: t.detach().numpy().tolist() == [2.0] * 4,
    "figures": lambda t: tf.EagerSession.current().live_tensors() is not None,
}
CLOSERS = ("close", "scope", "detach")


def closed_value(session, one, how, box):
    """Puts a value into the box and ends it there."""
    if how == "scope":
        with session.scope():
            box[0] = one * 2.0
        return
    box[0] = one * 2.0
    if how == "close":
        box[0].close()
    else:
        try:
            box[0].detach()
        except SessionClosedError:
            pass  # a reader took the value first


@pytest.fixture
def many_switches():
    """Makes threads switch as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("how", CLOSERS)
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.usefixtures("many_switches")
def test_reading_what_another_thread_closes(reader, is_async, how):
    read, wrong, done = READERS[reader], [], threading.Event()

    def work():
        while not done.is_set():
            try:
                if not read(box[0]):
                    wrong.append("another value")
            except SessionClosedError:
                pass
            except Exception as error:  # any other exception is a failure
                wrong.append(repr(error))

    with tf.EagerSession(async_=is_async) as session:
        one = tf.ones([4])
        box = [one * 2.0]
        threads = [threading.Thread(target=contextvars.copy_context().run, args=(work,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(ROUNDS):
                closed_value(session, one, how, box)
        finally:
            done.set()
            for thread in threads:
                thread.join()
    assert not wrong, wrong[:3]


WAITING = """
import os, signal, sys, threading
import tinytf as tf
session = tf.EagerSession(async_=True); session.__enter__()
t = tf.FIFOQueue(1, tf.float32).dequeue()
use = {"numpy": lambda: t.numpy(), "shape": lambda: t.shape, "memoryview": lambda: memoryview(t),
       "DLPack": lambda: t.__dlpack__(), "detach": lambda: t.detach()}[sys.argv[1]]
if sys.argv[2] == "a signal handler":
    signal.signal(signal.SIGALRM, lambda *args: t.close())
    signal.setitimer(signal.ITIMER_REAL, 0.05)
else:
    threading.Timer(0.05, t.close).start()
try:
    use()
except tf.eager.SessionClosedError as error:
    print(error)
session.close(cancel_pending=True)
"""


@pytest.mark.parametrize("who", ["a signal handler", "a thread"])
@pytest.mark.parametrize("use", ["numpy", "shape", "memoryview", "DLPack", "detach"])
def test_closing_what_somebody_waits_for(use, who):
    done = run_program(WAITING, use, who)
    assert (done.returncode, done.stdout, done.stderr) == (0, "The tensor was closed.\n", "")


@pytest.mark.usefixtures("many_switches")
def test_a_list_of_inputs_that_another_thread_changes():
    """An operation uses the tensors that were in the list when it was called."""
    done = threading.Event()
    with tf.EagerSession():
        big = tf.ones([1 << 16])
        values = [big * 1.0, big * 2.0]

        def change():
            while not done.is_set():
                values[:] = [big * 1.0, big * 2.0]

        thread = threading.Thread(target=contextvars.copy_context().run, args=(change,))
        thread.start()
        try:
            sums = {float(tf.raw_ops.AddN(inputs=values)[0]) for _ in range(ROUNDS)}
        finally:
            done.set()
            thread.join()
    assert sums == {3.0}
