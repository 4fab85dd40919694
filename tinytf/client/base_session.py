"""What `Session` and `InteractiveSession` share: their making, their properties and their end."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from tinytf import _core
from tinytf.client import lifetime
from tinytf.client.config import SessionName, core_options
from tinytf.client.session_arguments import check_target_and_config
from tinytf.client.session_insight import SessionInsight
from tinytf.client.session_runs import SessionRuns
from tinytf.framework.default_graph import default_sessions, get_default_graph
from tinytf.framework.graph import Graph
from tinytf.framework.no_copies import NotCopied
from tinytf.framework.users_site import UsersSite, users_frame
from tinytf.insight import devices


class BaseSession(SessionRuns, SessionInsight, NotCopied):
    """What Session and InteractiveSession share. Thread-safe, but for entering and leaving contexts."""

    _COPIED_AS = "Session"
    _places_pruned_graph = False  # only what runs need is placed on devices, whatever the config says

    def __init__(self, target: Any = "", graph: Graph | None = None, config: Any = None) -> None:
        if graph is None:
            graph = get_default_graph()
        elif not isinstance(graph, Graph):
            raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
        self._closed = False
        self._graph = graph
        self._target = check_target_and_config(target, config)
        self._config = config
        self._name = SessionName(config)
        try:
            self._session = _core.Session(graph._core, **core_options(config, self._places_pruned_graph))
        except BaseException:
            self._name.release()
            raise
        self._devices = devices.device_attributes(self._session)
        if config is not None and config.log_device_placement:
            devices.log_device_mapping()
        super().__init__(config)
        self._made_at = UsersSite(users_frame())
        lifetime.opened(self)

    # -- Properties --------------------------------------------------------------------------------------------------

    @property
    def graph_def(self) -> Any:
        """The graph as a GraphDef message, made at each access."""
        infer_shapes = self._config is not None and self._config.graph_options.infer_shapes
        return self._graph.as_graph_def(add_shapes=infer_shapes)

    @property
    def sess_str(self) -> bytes:
        """The target that the session was made with."""
        return self._target

    # -- Life --------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Frees what the session holds, variables too. Running steps are cancelled; returns when they have ended."""
        self._closed = True
        lifetime.ended(self)
        self._release()
        if self._step_threads is not None:
            self._step_threads.join()

    def _release(self) -> None:
        """Ends the core's part: runs fail from there on."""
        self._calls.clear()
        self._prepared.clear()
        self._step_counts.clear()
        self._partial_runs.clear()
        self._session.close()
        self._name.release()

    def __del__(self, _at_exit: Callable[[], bool] = sys.is_finalizing) -> None:
        # When the interpreter ends, modules may be gone already; what the session holds goes with the process.
        if not _at_exit() and hasattr(self, "_made_at"):
            self._drop()

    def _drop(self) -> None:
        """Ends a session that nobody can reach any more."""
        lifetime.ended(self)
        if not self._closed and not self._session.closed():
            try:
                self._warn_unclosed("was not closed")
            finally:
                self.close()
        self._name.release()  # a close that was interrupted did not come to it

    def _warn_unclosed(self, what: str) -> None:
        """Python shows it where ResourceWarning is enabled, with the line that made the session."""
        site = self._made_at
        warnings.warn_explicit(
            f"{self!r} {what}; end a session with close() or a `with` block",
            ResourceWarning,
            site.filename or "<unknown>",
            site.lineno,
        )

    def as_default(self) -> AbstractContextManager[Any]:
        """A context manager that makes this the default session of the calling thread; does not close it."""
        return default_sessions.entered(self)

    def __repr__(self) -> str:
        name = ("tf." if type(self).__module__.startswith("tinytf.") else "") + type(self).__name__
        if not hasattr(self, "_made_at"):
            return f"<{name} that could not be made>"
        state = "closed" if self._closed or self._session.closed() else "open"
        ops = self._graph.version
        return f"<{name} {state}, graph of {ops} operation{'' if ops == 1 else 's'}, made at {self._made_at}>"
