"""Queries on graphs."""

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
    """Returns the output tensors of a graph's placeholders, in the order of their creation."""
    return [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]


def get_graph_from_inputs(op_input_list: Iterable[Any], graph: Any = None) -> Any:
    """Returns the graph of the values, or the default graph if they have none.

    Args:
      op_input_list: iterable of tensors, operations or other values.
      graph: the expected graph, or None.

    Returns:
      A `tf.Graph`.

    Raises:
      ValueError: if the values are from different graphs, or not from `graph`.
    """
    for value in op_input_list:
        other = getattr(value, "graph", None)
        if other is not None and graph is not None and other is not graph:
            raise ValueError(
                f"{value} is not from the passed-in graph, or not from the same graph as the previous values."
            )
        graph = graph or other
    return graph or tf.get_default_graph()


def get_name_scope() -> str:
    """Returns the current name scope of the default graph."""
    return tf.get_default_graph().get_name_scope()
