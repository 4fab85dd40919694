"""`tf.contrib.util`: tensors as messages, and which ops a graph's message uses."""

from __future__ import annotations

from typing import Any

from tinytf import get_static_value as constant_value
from tinytf import make_ndarray, make_tensor_proto

__all__ = ["constant_value", "make_ndarray", "make_tensor_proto", "ops_used_by_graph_def"]


def ops_used_by_graph_def(graph_def: Any) -> set[str]:
    """The names of the ops that a `GraphDef` uses, in its functions, too, as far as it uses these."""
    functions = {function.signature.name: function for function in graph_def.library.function}
    used: set[str] = set()
    waiting = list(graph_def.node)
    while waiting:
        name = waiting.pop().op
        if name not in used:
            used.add(name)
            if name in functions:
                waiting.extend(functions[name].node_def)
    return used - functions.keys()
