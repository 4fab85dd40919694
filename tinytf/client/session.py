"""`Session`: a session with two ways of life, `close()` and `with`."""

from __future__ import annotations

from typing import Any

from tinytf.client.base_session import BaseSession
from tinytf.framework import errors_impl
from tinytf.framework.log import logger


class Session(BaseSession):
    """Runs operations and evaluates tensors of one graph.

    `with tf.Session() as sess:` makes the session and its graph the defaults, and closes the session at the end. A session
    that is made outright wants `close()`.

    Args:
      target: '' (only local sessions exist).
      graph: the graph to run; the default graph at this moment if None.
      config: a `ConfigProto` message.

    Raises TypeError for arguments of other types, NotFoundError for a target.
    """

    def __enter__(self) -> Session:
        if self._context is not None:
            raise RuntimeError(
                "Session context managers are not re-entrant. Use `Session.as_default()` if you want to enter a session "
                "multiple times."
            )
        graph = self._graph.as_default()
        session = self.as_default()
        graph.__enter__()
        session.__enter__()
        self._context = [session, graph]
        return self

    def __exit__(self, exc_type: Any, exc: Any, traceback: Any) -> None:
        if exc_type is errors_impl.OpError:
            logger().error("Session closing due to OpError: %s", exc)
        assert self._context is not None
        contexts, self._context = self._context, None
        try:
            for context in contexts:
                context.__exit__(exc_type, exc, traceback)
        finally:
            self.close()
