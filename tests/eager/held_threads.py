"""Helpers that hold threads inside the engine and wait for states of a session."""

import contextvars
import threading

from watched_sessions import hold_of

import tinytf as tf


def until(session, state):
    """Waits until the session is in the given state."""
    while session.stats().state != state:
        pass


class AtPoint:
    """Holds the first thread that reaches a failpoint of the session's core, until `let_go`."""

    def __init__(self, session, point):
        self._hold = hold_of(session)
        self._point = point
        self._came, self._go_on = threading.Event(), threading.Event()
        self._hold.set_failpoint(point, self._stay)

    def _stay(self):
        self._hold.set_failpoint(self._point, None)
        self._came.set()
        self._go_on.wait()

    def wait(self):
        """Waits until a thread is held."""
        self._came.wait()

    def let_go(self):
        self._go_on.set()


class RunningOperation:
    """An operation on its own thread that stays inside the session's core until `let_go`."""

    def __init__(self, session):
        self._held = AtPoint(session, "take_handle")
        self.result = None
        self._thread = threading.Thread(target=contextvars.copy_context().run, args=(self._run,))
        self._thread.start()
        self._held.wait()

    def _run(self):
        try:
            self.result = tf.constant([1.0, 2.0])
        except tf.eager.SessionClosedError as error:
            self.result = error

    def let_go(self):
        self._held.let_go()
        self._thread.join()


class HeldNode:
    """Keeps the session's thread for asynchronous operations inside a node until `let_go`."""

    def __init__(self, session):
        came, self._go_on = threading.Event(), threading.Event()
        hold_of(session).push_node(lambda: (came.set(), self._go_on.wait()))
        came.wait()

    def let_go(self):
        self._go_on.set()
