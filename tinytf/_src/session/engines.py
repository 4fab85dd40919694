"""Registry of the factories of engines, by the scheme of a session's target; like TensorFlow's `SessionFactory`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.session import lifetime, local_servers
from tinytf._src.session.config import core_options
from tinytf._src.session.engine import Engine
from tinytf._src.session.local_engine import CoreEngine
from tinytf._src.session.session_life import SessionLife


class EngineFactory(Protocol):
    """Makes the engines of the sessions of a target. Thread-safe."""

    @property
    def config(self) -> Any:
        """The `ConfigProto` of sessions that are made without one, or None."""

    def new_engine(self, graph: Graph, target: str, config: Any, place_pruned_graph: bool) -> Engine:
        """Returns the engine of a new session. `target`: the name by which the program calls the factory;
        `place_pruned_graph`: whether only nodes that steps need are placed, whatever the config says."""

    def opened(self, session: SessionLife) -> None:
        """Registers the session that has got the engine made last. It must not be kept alive."""

    def reset(self, containers: list[str]) -> None:
        """Implements `Session.reset` for the sessions of the factory."""


class DirectEngines:
    """Makes the engines of sessions that belong to no server."""

    config = None

    def new_engine(self, graph: Graph, target: str, config: Any, place_pruned_graph: bool) -> Engine:
        """As of `EngineFactory`."""
        return CoreEngine(graph, **core_options(config, place_pruned_graph))

    def opened(self, session: SessionLife) -> None:
        """Does nothing, as sessions register with `lifetime` themselves."""

    def reset(self, containers: list[str]) -> None:
        """Clears containers of the open sessions, then closes the sessions' engines."""
        sessions = [session for session in lifetime.open_sessions() if session.factory is self]
        for session in sessions:
            for name in containers:
                session.clear_container(name)
        for session in sessions:
            session.release()


Find = Callable[[str], EngineFactory | None]  # target → its factory

_direct = DirectEngines()
# Single operations of a dict are atomic.
_finders: dict[str, Find] = {"": lambda target: _direct if not target else None, "grpc": local_servers.find}


def register(scheme: str, find: Find) -> Callable[[], None]:
    """Lets `find` return the factories of the targets "{scheme}://…", before the functions that were registered for the
    scheme earlier; these are asked if it returns None. Returns a function that undoes the registration; to be called in
    reverse order."""
    earlier = _finders.get(scheme)
    _finders[scheme] = find if earlier is None else lambda target: find(target) or earlier(target)

    def undo() -> None:
        if earlier is None:
            _finders.pop(scheme, None)
        else:
            _finders[scheme] = earlier

    return undo


def factory_of(target: str, config: Any) -> EngineFactory:
    """Returns the factory of a target, '' for sessions without a server. NotFoundError if there is none."""
    scheme, _, rest = target.partition("://")
    find = _finders.get(scheme if rest else "")
    factory = find(target) if find is not None else None
    if factory is None:
        raise errors_impl.NotFoundError(
            None,
            None,
            f'No session factory registered for the given session options: {{target: "{target}" config: '
            f"{config if config is not None else ''}}} Registered factories are {{DIRECT_SESSION}}. "
            "No server in this process has this target, and tinytf cannot connect to servers of other processes.",
        )
    return factory
