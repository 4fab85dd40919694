"""`InteractiveSession`: the default session from its construction to its end."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any

from tinytf.client.base_session import BaseSession
from tinytf.exports import tf_export
from tinytf.framework.default_graph import default_graphs, default_sessions
from tinytf.framework.graph import Graph
from tinytf.framework.users_site import UsersSite, is_about_to_replace, users_frame
from tinytf.protos import is_message


@tf_export("InteractiveSession")
class InteractiveSession(BaseSession):
    """A session that is the default session from its construction until `close()`; for notebooks and shells.

    With `graph`, that graph is the default graph for as long. A `config` is changed: its
    `graph_options.place_pruned_graph` becomes True.

    The stack of default sessions keeps the session alive: deleting the variable that holds it does not close it. Making a
    session while another is active warns, as both hold memory. But one that was replaced does not count as active: when a
    new session is made, those of the thread that were put into a variable and are in none any longer, and the one in the
    variable that the new one is about to go into, are closed, with a ResourceWarning. So a notebook's cell that makes the
    session can be run again.
    """

    # Where those that are not closed were made, by id, the oldest first. Single operations of a dict are atomic.
    _active: dict[int, UsersSite] = {}
    _places_pruned_graph = True

    def __init__(self, target: Any = "", graph: Graph | None = None, config: Any = None) -> None:
        if is_message(config, "ConfigProto"):
            config.graph_options.place_pruned_graph = True  # for the caller to see, as in TensorFlow
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
        """Closes the session and takes it off the stack of default sessions.

        AssertionError if another session was made the default after it and still is: it is closed, but stays there.
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
        self._explicitly_closed = True  # the stack that held it is gone
        super()._drop()

    def _close_replaced(self) -> None:
        """Closes sessions of this thread that nobody uses any more, and takes off the stack what out-of-order closes left."""
        frame = users_frame()
        for i in reversed(range(len(default_sessions.stack))):
            stack = default_sessions.stack  # another one after each removal
            session = stack[i]
            if not isinstance(session, InteractiveSession) or not session._on_stack:
                continue
            if session._explicitly_closed:
                session._take_off_stacks()
                continue
            elsewhere = _references(stack, i) - 1 - _ALONE  # `session` is one
            held = elsewhere - is_about_to_replace(frame, session)
            if held == 0 and not session._life.made_at.drops_result():
                session._take_off_stacks()
                session._replace()

    def _take_off_stacks(self) -> None:
        """Undoes what the constructor pushed, wherever it is by now."""
        self._on_stack = False
        default_sessions.remove(self)
        if self._graph_on_stack:
            default_graphs.remove(self._graph)

    def _replace(self) -> None:
        """Ends a session that is off the stacks."""
        self._explicitly_closed = True
        self._deactivate()
        try:
            self._life.warn_unclosed(self, "was replaced by another and is closed")
        finally:
            super().close()


def _references(stack: Sequence[Any], i: int) -> int:
    return sys.getrefcount(stack[i])


_ALONE = _references([object()], 0)  # how many there are of something that only the stack holds
