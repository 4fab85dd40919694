"""`InteractiveSession`: a session that is the default session from its construction until it is closed."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context.defaults import default_graphs, default_sessions
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.sites.users_site import UsersSite, is_about_to_replace, users_frame
from tinytf._src.protos import is_message
from tinytf._src.session.base_session import BaseSession


@tf_export("InteractiveSession")
class InteractiveSession(BaseSession):
    """A session that is the default session from its construction until `close()`; for notebooks and shells.

    If `graph` is given, that graph is the default graph for the same time. A given `config` is changed: its
    `graph_options.place_pruned_graph` becomes True.

    The stack of default sessions keeps the session alive: deleting the variable that holds it does not close it. Making
    a session while another is active warns, as both hold memory. A replaced session does not count as active:
    a new session closes, with a ResourceWarning, the thread's sessions that were bound to a variable and no longer are,
    and the session in the variable that the new one is about to be assigned to. So a notebook cell that makes the
    session can be run again.

    Args:
      target: '' for a session of its own, or the target of a server of this process (`tf.train.Server`).
      graph: the graph to run; None: the current default graph.
      config: a `ConfigProto` message, or None.

    Raises:
      TypeError: for arguments of other types.
      NotFoundError: if no server of this process has the target.

    Example:
      sess = tf.InteractiveSession()
      x = tf.constant(2.0) * 3.0
      x.eval()  # 6.0
      sess.close()
    """

    # Creation sites of the sessions that are not closed, by id, oldest first. Single operations of a dict are atomic.
    _active: dict[int, UsersSite] = {}
    _places_pruned_graph = True

    def __init__(self, target: Any = "", graph: Graph | None = None, config: Any = None) -> None:
        if is_message(config, "ConfigProto"):
            config.graph_options.place_pruned_graph = True  # visible to the caller, as in TensorFlow
        super().__init__(target, graph, config or None)
        self._explicitly_closed = False
        self._close_replaced()
        others = list(self._active.values())
        if others:
            warnings.warn(
                "An interactive session is already active. This can cause out-of-memory errors in some cases. You must "
                "explicitly call `InteractiveSession.close()` to release resources held by the other session(s). "
                f"The first active one was made at {others[0]}.",
                stacklevel=2,
            )
        self._active[id(self)] = self._life.made_at
        default_sessions.push(self)
        self._on_stack = True
        self._graph_on_stack = graph is not None
        if self._graph_on_stack:
            default_graphs.push(self._graph)

    def close(self) -> None:
        """Closes the session and removes it from the stack of default sessions. Closing again does nothing.

        Raises:
          AssertionError: if another session became the default after this one and still is; this one is closed but
            stays on the stack.
        """
        super().close()
        if self._explicitly_closed:
            return
        self._explicitly_closed = True
        self._deactivate()
        if self._graph_on_stack:
            default_graphs.pop(self._graph)
            self._graph_on_stack = False
        default_sessions.pop(self)
        self._on_stack = False

    def _deactivate(self) -> None:
        self._active.pop(id(self), None)

    def _drop(self) -> None:
        self._deactivate()
        self._explicitly_closed = True  # the thread's stack, which held it, is gone
        super()._drop()

    def _close_replaced(self) -> None:
        """Closes replaced sessions of this thread, and removes from the stack the sessions that were closed out of
        order."""
        frame = users_frame()
        for i in reversed(range(len(default_sessions.stack))):
            stack = default_sessions.stack  # a removal replaces the stack
            session = stack[i]
            if not isinstance(session, InteractiveSession) or not session._on_stack:
                continue
            if session._explicitly_closed:
                session._take_off_stacks()
                continue
            elsewhere = _references(stack, i) - 1 - _ALONE  # the local variable `session` is one reference
            held = elsewhere - is_about_to_replace(frame, session)
            if held == 0 and not session._life.made_at.drops_result():
                session._take_off_stacks()
                session._replace()

    def _take_off_stacks(self) -> None:
        """Undoes the constructor's pushes, at whatever position of the stacks they are now."""
        self._on_stack = False
        default_sessions.remove(self)
        if self._graph_on_stack:
            default_graphs.remove(self._graph)

    def _replace(self) -> None:
        """Closes a session that is off the stacks, with a ResourceWarning."""
        self._explicitly_closed = True
        self._deactivate()
        try:
            self._life.warn_unclosed(self, "was replaced by another one and is now closed")
        finally:
            super().close()


def _references(stack: Sequence[Any], i: int) -> int:
    return sys.getrefcount(stack[i])


_ALONE = _references([object()], 0)  # reference count of an object that only the stack refers to
