"""Graphs and their parts cannot be pickled or copied; the error says what to do instead."""

from __future__ import annotations

from typing import Any

_GRAPHS = (
    "Save a graph as a GraphDef, `graph.as_graph_def()`, which can be pickled, and build it again with "
    "`tf.import_graph_def`"
)
_INSTEAD = {
    "Graph": f"{_GRAPHS}.",
    "Operation": f"{_GRAPHS}; `graph.get_operation_by_name` finds the operation in the new graph.",
    "Tensor": f"{_GRAPHS}; `graph.get_tensor_by_name` finds the tensor in the new graph. Its value is `session.run(tensor)`.",
    "Variable": "Its value is `session.run(variable)`, an array, which `load` assigns to another variable; "
    "`variable.to_proto()` describes the variable in its graph.",
    "Session": f"{_GRAPHS}; then create a session for it.",
}


class NotCopied:
    """Base class whose instances raise TypeError when they are pickled or copied."""

    __slots__ = ()
    _COPIED_AS = "Graph"

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"cannot pickle or copy {self!r}: it is part of this process. {_INSTEAD[self._COPIED_AS]}")
