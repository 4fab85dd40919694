"""A session beside which threads run that a coordinator stops."""

from __future__ import annotations

import time
from typing import Any

from tinytf.framework import errors_impl, tf_logging
from tinytf.framework.graph import Graph
from tinytf.monitoring.bounded_close import close_session, tell_of_threads
from tinytf.monitoring.hooked_session import HookedSession
from tinytf.monitoring.session_interface import SessionInterface
from tinytf.training.coordinator import Coordinator

# What is raised when another process of a cluster is gone: a new session may go on.
PREEMPTION_ERRORS = (errors_impl.AbortedError, errors_impl.UnavailableError)
IN_CLOSE = (
    "An error occurred when attempting to close the session. This may be due to a preemption in a connected worker or "
    "parameter server. Error: %s"
)


class CoordinatedSession(SessionInterface):
    """Ends its threads when it is closed. Where a step fails because a thread has lost the session, it says that."""

    def __init__(self, sess: HookedSession, coord: Coordinator, stop_grace_period_secs: float) -> None:
        self._sess = sess
        self.coord = coord
        self._grace = stop_grace_period_secs

    @property
    def graph(self) -> Graph:
        """The graph."""
        return self._sess.graph

    def raw_session(self) -> Any:
        """The session below."""
        return self._sess.raw_session()

    def should_stop(self) -> bool:
        """Whether the coordinator stops, or a hook wants that. Raises the error that stopped the coordinator."""
        self.coord.raise_requested_exception()
        return self.coord.should_stop() or self._sess.should_stop()

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """A step with all hooks."""
        try:
            return self._sess.run(fetches, feed_dict, options, run_metadata)
        except PREEMPTION_ERRORS:
            raise
        except Exception:
            self._raise_preemption()
            raise

    def run_with(self, hooks: Any, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        """A step with some hooks."""
        try:
            return self._sess.run_with(hooks, fetches, feed_dict, options, run_metadata)
        except PREEMPTION_ERRORS:
            raise
        except Exception:
            self._raise_preemption()
            raise

    def _raise_preemption(self) -> None:
        """Raises the error of a thread for which a new session is made."""
        try:
            self.coord.raise_requested_exception()
        except PREEMPTION_ERRORS:
            raise
        except Exception as error:
            tf_logging.vlog(1, "A step and a thread failed; the thread: %s", str(error))

    def wake(self) -> None:
        """Hooks know from here on what they have missed while they idled."""
        self._sess.wake()

    def close(self) -> None:
        """Stops the threads and closes the session. Raises the error that a thread was ended by.

        Threads and steps that do not end are left behind shortly after the grace period, and told of."""
        self._sess.wake()
        end = time.monotonic() + self._grace
        threads = self.coord._threads()
        self.coord.request_stop()
        try:
            self.coord.join(stop_grace_period_secs=self._grace, ignore_live_threads=True)
        finally:
            try:
                close_session(self._sess.raw_session(), end)
            except PREEMPTION_ERRORS as error:  # it was lost before
                tf_logging.warning(IN_CLOSE, str(error))
            tell_of_threads(threads)
