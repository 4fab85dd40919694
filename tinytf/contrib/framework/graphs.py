"""Small questions about graphs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tinytf as tf

__all__ = [
    "get_graph_from_inputs",
    "get_name_scope",
    "get_placeholders",
]


def get_placeholders(graph: Any) -> list[Any]:
    """The placeholders of a graph, in the order in which they were made."""
    return [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]


def get_graph_from_inputs(op_input_list: Iterable[Any], graph: Any = None) -> Any:
    """The graph that these values are of, or the default graph. ValueError if they are of several, or not of `graph`."""
    for value in op_input_list:
        other = getattr(value, "graph", None)
        if other is not None and graph is not None and other is not graph:
            raise ValueError(
                f"{value} is not from the passed-in graph, or not from the same one as the values before it."
            )
        graph = graph or other
    return graph or tf.get_default_graph()


def get_name_scope() -> str:
    """The name scope that holds here."""
    return tf.get_default_graph().get_name_scope()
