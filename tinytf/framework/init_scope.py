"""`tf.init_scope`: initial values do not depend on where in a program they are made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from tinytf import _core
from tinytf.exports import tf_export
from tinytf.framework.default_graph import get_default_graph, graph_around
from tinytf.framework.entered_devices import lifted_devices_of
from tinytf.framework.execution import eager_mode, executing_eagerly
from tinytf.framework.name_scope import name_scope


@tf_export("init_scope")
@contextmanager
def init_scope() -> Iterator[None]:
    """What the body makes depends on no control input and is recorded by no tape; the name scope stays, and devices do, also
    those around a scope of `colocate_with`.

    Within functions that are being traced, the body is outside all of them: executed, or in the graph around them.
    """
    paused = _core.pause_tapes()
    try:
        if executing_eagerly():
            yield
            return
        inner: Any = get_default_graph()
        graph = outermost(inner)
        names = nullcontext() if graph is inner else name_scope(_absolute(inner.get_name_scope()))
        if graph is None:
            with eager_mode(), names:
                yield
        else:
            devices = lifted_devices_of(inner)
            with graph.as_default(), names, graph.control_dependencies(None), graph._devices.instead(devices):
                yield
    finally:
        _core.resume_tapes(paused)


def outermost(graph: Any) -> Any:
    """The graph around the functions of which `graph` is one: itself if it is none. None if operations are executed there."""
    while graph is not None and graph.building_function:
        graph = graph_around(graph)
    return graph


def _absolute(name_scope: str) -> str | None:
    return name_scope + "/" if name_scope else None


def lifted_devices() -> AbstractContextManager[None]:
    """The devices of `init_scope`, for what the body makes in the default graph."""
    graph = get_default_graph()
    devices = lifted_devices_of(graph)
    return nullcontext() if devices is graph._devices.open else graph._devices.instead(devices)
