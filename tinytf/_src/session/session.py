"""`Session`: a session that is closed by `close()` or at the end of a `with` block."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context.defaults import default_graphs, default_sessions
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.logs.log import logger
from tinytf._src.session.base_session import BaseSession
from tinytf._src.session.session_arguments import check_target_and_config

_CLOSE_SECONDS = 30.0  # how long a failed `with` block waits for running steps


@tf_export("Session")
class Session(BaseSession):
    """Runs operations and evaluates tensors of one graph.

    `with tf.Session() as sess:` makes the session and its graph the defaults, and closes the session at the end.
    Without `with`, call `close()`; a session that is garbage collected while open is closed with a ResourceWarning.
    Threads may share a session.

    Args:
      target: '' for a session of its own, or the target of a server of this process (`tf.train.Server`), whose sessions
        share variables and other resources.
      graph: the graph to run; None: the current default graph.
      config: a `ConfigProto` message, or None.

    Raises:
      TypeError: for arguments of other types.
      NotFoundError: if no server of this process has the target.

    Example:
      x = tf.constant([1.0, 2.0])
      with tf.Session() as sess:
        sess.run(tf.reduce_sum(x))  # 3.0
    """

    _entered = False
    _places = (0, 0)  # positions on the stacks of default graphs and sessions, while entered

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
            elif not sys.is_finalizing():  # at exit, in a suspended generator's block: no other thread runs any more
                self._close_in_time()

    def _leave_stacks(self) -> None:
        """Takes session and graph off the stacks. AssertionError if something entered in the block was not left: it
        stays on the stack; session and graph are removed in any case, as the session is closed now."""
        graph_place, session_place = self._places
        try:
            default_graphs.leave(self._graph, graph_place)
        finally:
            default_sessions.leave(self, session_place)

    def _close_in_time(self) -> None:
        """Closes the session, but waits at most `_CLOSE_SECONDS` for running steps, as an exception is propagating."""
        thread = threading.Thread(target=self._close_quietly, name="SessionCloseThread", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # thread limit reached, or the interpreter is shutting down
            self._close_quietly()
            return
        thread.join(_CLOSE_SECONDS)
        if thread.is_alive():
            logger().error(
                "Session failed to close after 30 seconds. Continuing after this point may leave your program in an undefined "
                "state."
            )

    def _close_quietly(self) -> None:
        with suppress(errors_impl.AbortedError):  # the session was aborted; the propagating error usually says so
            self.close()

    @staticmethod
    def reset(target: Any, containers: Iterable[str | bytes] | None = None, config: Any = None) -> None:
        """Clears containers of all open sessions of the process, or of a server, then ends these sessions.

        Runs fail afterwards with CancelledError, or with AbortedError for a server's sessions, which monitored sessions
        recover from. Sessions of a server that have not run anything yet stay usable.

        Args:
          target: '' for sessions that belong to no server, or the target of a server of this process.
          containers: names as in `tf.container`; None or empty: the default container.
          config: a `ConfigProto` message, or None.

        Raises:
          TypeError: for arguments of other types.
          NotFoundError: if no server of this process has the target.
        """
        _, factory = check_target_and_config(target, config)
        factory.reset([name.decode() if isinstance(name, bytes) else name for name in containers or ("localhost",)])
