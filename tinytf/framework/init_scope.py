"""`tf.init_scope`: initial values do not depend on where in a program they are made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf import _core
from tinytf.exports import tf_export
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.execution import eager_mode, executing_eagerly


@tf_export("init_scope")
@contextmanager
def init_scope() -> Iterator[None]:
    """What the body makes depends on no control input and is recorded by no tape; device stays.

    Within functions that are being traced, the body is outside all of them: executed, or in the graph around them.
    """
    paused = _core.pause_tapes()
    try:
        if executing_eagerly():
            yield
            return
        graph: Any = get_default_graph()
        while graph is not None and graph.building_function:
            graph = graph.outer_graph
        if graph is None:
            with eager_mode():
                yield
        else:
            with graph.as_default(), graph.control_dependencies(None):
                yield
    finally:
        _core.resume_tapes(paused)
