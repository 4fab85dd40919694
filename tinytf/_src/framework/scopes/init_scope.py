"""`tf.init_scope`, which lifts initialization out of control flow and functions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from tinytf import _core
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.entered_devices import lifted_devices_of
from tinytf._src.framework.context.execution import eager_mode, executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph, graph_around
from tinytf._src.framework.scopes.name_scope import name_scope


@tf_export("init_scope")
@contextmanager
def init_scope() -> Iterator[None]:
    """Context manager that lifts operations out of control-flow scopes and functions.

    Operations created in it have no control inputs and are not recorded by gradient tapes. The name scope is kept, and
    so are device scopes, even inside `colocate_with`. In a function that is being traced, the body runs outside of all
    functions: in the surrounding graph, or eagerly.

    Example:
      @tf.function
      def f():
        with tf.init_scope():
          initial = tf.zeros([2])
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
    """The graph outside of all functions around `graph`: `graph` itself if it is not a function body. None if eager
    execution surrounds the functions."""
    while graph is not None and graph.building_function:
        graph = graph_around(graph)
    return graph


def _absolute(name_scope: str) -> str | None:
    return name_scope + "/" if name_scope else None


def lifted_devices() -> AbstractContextManager[None]:
    """Context manager that opens the device scopes of `init_scope` for operations created in the default graph."""
    graph = get_default_graph()
    devices = lifted_devices_of(graph)
    return nullcontext() if devices is graph._devices.open else graph._devices.instead(devices)
