"""Helpers for steps on other threads that wait for queues or in a Python function."""

import threading

import numpy as np

import tinytf as tf


class InThread(threading.Thread):
    """Calls `function` on a thread that starts immediately; `outcome()` waits for its result or exception."""

    def __init__(self, function, *args):
        super().__init__(daemon=True)
        self._call = lambda: function(*args)
        self._result = self._error = None
        self.start()

    def run(self):
        try:
            self._result = self._call()
        except tf.errors.OpError as error:
            self._error = error

    def outcome(self):
        self.join()
        return self._result if self._error is None else self._error


def first_line(error):
    """The first line of an error message, without its node."""
    return error.message.split("\n")[0]


def wait_until(sess, tensor, value):
    """Runs `tensor` until it has this value."""
    while sess.run(tensor) != value:
        pass


class HeldStep(InThread):
    """A step inside a Python function until `let_go`; nothing else ends it."""

    def __init__(self, sess):
        entered, self._leave = threading.Event(), threading.Event()

        def wait():
            entered.set()
            self._leave.wait()
            return np.float32(1.0)

        held = tf.py_func(wait, [], tf.float32)
        super().__init__(sess.run, [held, tf.identity(held)])
        entered.wait()

    def let_go(self):
        self._leave.set()
