"""`Session`: a session with two ways of life, `close()` and `with`."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from tinytf.client import lifetime
from tinytf.client.base_session import BaseSession
from tinytf.client.session_arguments import check_target_and_config
from tinytf.exports import tf_export
from tinytf.framework import errors_impl
from tinytf.framework.default_graph import default_graphs, default_sessions
from tinytf.framework.log import logger

_CLOSE_SECONDS = 30.0  # how long the end of a `with` block that failed waits for running steps


@tf_export("Session")
class Session(BaseSession):
    """Runs operations and evaluates tensors of one graph.

    `with tf.Session() as sess:` makes the session and its graph the defaults, and closes the session at the end. A session
    that is made outright wants `close()`; one that is forgotten is closed when Python frees it, with a ResourceWarning.

    Args:
      target: '' for a session of its own, or the target of a server of this process (`tf.train.Server`), whose sessions
        share variables and other resources.
      graph: the graph to run; the default graph at this moment if None.
      config: a `ConfigProto` message.

    Raises TypeError for arguments of other types, NotFoundError for a target.
    """

    _entered = False
    _places = (0, 0)  # in the stacks of default graphs and sessions, while entered

    def __enter__(self) -> Session:
        if self._entered:
            raise RuntimeError(
                "Session context managers are not re-entrant. Use `Session.as_default()` if you want to enter a session "
                "multiple times."
            )
        self._entered = True
        self._places = default_graphs.push(self._graph), default_sessions.push(self)
        return self

    def __exit__(self, exc_type: Any, exc: Any, traceback: Any) -> None:
        if exc_type is errors_impl.OpError:
            logger().error("Session closing due to OpError: %s", exc)
        self._entered = False
        try:
            self._leave_stacks()
        finally:
            if exc_type is None:
                self.close()
            elif not sys.is_finalizing():  # else a block of a suspended generator: no other thread runs any more
                self._close_in_time()

    def _leave_stacks(self) -> None:
        """AssertionError if something that was entered in the block was not left: it stays, the session and graph do not,
        for the session is closed now and will not come back for them."""
        graph_place, session_place = self._places
        try:
            default_graphs.leave(self._graph, graph_place)
        finally:
            default_sessions.leave(self, session_place)

    def _close_in_time(self) -> None:
        """Closes, but waits for running steps only so long: an error is on its way to the user."""
        thread = threading.Thread(target=self._close_quietly, name="SessionCloseThread", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # no more threads: there are too many, or the interpreter is ending
            self._close_quietly()
            return
        thread.join(_CLOSE_SECONDS)
        if thread.is_alive():
            logger().error(
                "Session failed to close after 30 seconds. Continuing after this point may leave your program in an undefined "
                "state."
            )

    def _close_quietly(self) -> None:
        with suppress(errors_impl.AbortedError):  # the session was lost, as the error on its way mostly says
            self.close()

    @staticmethod
    def reset(target: Any, containers: Iterable[str | bytes] | None = None, config: Any = None) -> None:
        """Clears containers of every open session of the process, or of a server, then ends these sessions: runs fail
        afterwards, with CancelledError, or AbortedError if the sessions are a server's, which monitored sessions recover from.
        A server's sessions that have not run anything yet go on.

        Args:
          target: '' for sessions that are no server's, or the target of a server of this process.
          containers: names, see `tf.container`; the default container if None or empty.
          config: a `ConfigProto` message.

        Raises TypeError for arguments of other types, NotFoundError for a target.
        """
        _, server = check_target_and_config(target, config)
        names = [name.decode() if isinstance(name, bytes) else name for name in containers or ("localhost",)]
        if server is not None:
            return server.reset(names)
        sessions = [session for session in lifetime.open_sessions() if not session.is_server_s]
        for session in sessions:
            for name in names:
                session.clear_container(name)
        for session in sessions:
            session.release()
