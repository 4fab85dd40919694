"""`InteractiveSession`: the default session from its construction to its end."""

from __future__ import annotations

import warnings
from typing import Any

from tinytf.client.base_session import BaseSession
from tinytf.client.messages import is_message
from tinytf.framework.graph import Graph


class InteractiveSession(BaseSession):
    """A session that is the default session from its construction until `close()`; for notebooks and shells."""

    _active_sessions = 0
    _places_pruned_graph = True

    def __init__(self, target: Any = "", graph: Graph | None = None, config: Any = None) -> None:
        if is_message(config, "ConfigProto"):
            config.graph_options.place_pruned_graph = True  # for the caller to see, as in TensorFlow
        super().__init__(target, graph, config)
        if InteractiveSession._active_sessions > 0:
            warnings.warn(
                "An interactive session is already active. This can cause out-of-memory errors in some cases. You must "
                "explicitly call `InteractiveSession.close()` to release resources held by the other session(s).",
                stacklevel=2,
            )
        InteractiveSession._active_sessions += 1
        self._explicitly_closed = False
        self._default_session = self.as_default()
        self._default_session.__enter__()
        self._default_graph = self._graph.as_default() if graph is not None else None
        if self._default_graph is not None:
            self._default_graph.__enter__()

    def close(self) -> None:
        """Closes the session and takes it off the stack of default sessions."""
        super().close()
        if self._explicitly_closed:
            return
        self._explicitly_closed = True
        InteractiveSession._active_sessions -= 1
        if self._default_graph is not None:
            self._default_graph.__exit__(None, None, None)
        self._default_session.__exit__(None, None, None)
