"""A session with background threads that a coordinator stops."""

from __future__ import annotations

import time
from typing import Any

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.bounded_close import close_session, tell_of_threads
from tinytf._src.monitored_session.hooked_session import HookedSession
from tinytf._src.monitored_session.session_interface import SessionInterface
from tinytf._src.training.coordinator import Coordinator

# Errors that signal the loss of another process of a cluster: a new session can continue.
PREEMPTION_ERRORS = (errors_impl.AbortedError, errors_impl.UnavailableError)
IN_CLOSE = (
    "An error occurred when attempting to close the session. This may be due to a preemption in a connected worker or "
    "parameter server. Error: %s"
)


class CoordinatedSession(SessionInterface):
    """Stops its threads when closed. If a step fails because a thread has lost the session, the thread's error is
    raised."""

    def __init__(self, sess: HookedSession, coord: Coordinator, stop_grace_period_secs: float) -> None:
        self._sess = sess
        self.coord = coord
        self._grace = stop_grace_period_secs

    @property
    def graph(self) -> Graph:
        """The session's graph."""
        return self._sess.graph

    def raw_session(self) -> Any:
        """Returns the wrapped session."""
        return self._sess.raw_session()

    def should_stop(self) -> bool:
        """Returns whether the coordinator stops or a hook requests it. Raises the error that stopped the
        coordinator."""
        self.coord.raise_requested_exception()
        return self.coord.should_stop() or self._sess.should_stop()

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Runs a step with all hooks."""
        try:
            return self._sess.run(fetches, feed_dict, options, run_metadata)
        except PREEMPTION_ERRORS:
            raise
        except Exception:
            self._raise_preemption()
            raise

    def run_with(self, hooks: Any, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        """Runs a step with the given hooks."""
        try:
            return self._sess.run_with(hooks, fetches, feed_dict, options, run_metadata)
        except PREEMPTION_ERRORS:
            raise
        except Exception:
            self._raise_preemption()
            raise

    def _raise_preemption(self) -> None:
        """Raises the error of a thread if it is a preemption error."""
        try:
            self.coord.raise_requested_exception()
        except PREEMPTION_ERRORS:
            raise
        except Exception as error:
            tf_logging.vlog(1, "A thread failed in addition to the step. Error of the thread: %s", str(error))

    def wake(self) -> None:
        """Wakes idle hooks; they learn of the steps that they missed."""
        self._sess.wake()

    def close(self) -> None:
        """Stops the threads and closes the session. Raises the error that ended a thread.

        Threads and steps that still run shortly after the grace period are left running, and logged.
        """
        self._sess.wake()
        end = time.monotonic() + self._grace
        threads = self.coord._threads()
        self.coord.request_stop()
        try:
            self.coord.join(stop_grace_period_secs=self._grace, ignore_live_threads=True)
        finally:
            try:
                close_session(self._sess.raw_session(), end)
            except PREEMPTION_ERRORS as error:  # the session was lost before
                tf_logging.warning(IN_CLOSE, str(error))
            tell_of_threads(threads)
