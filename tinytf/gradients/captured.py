"""Tensors that functions' bodies captured, as the tensors of the graphs around that they stand for."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from tinytf.framework.default_graph import get_default_graph, graph_around
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_like import is_eager_tensor, is_graph_tensor


def seen_from_outside(tensor: Tensor, wanted: Container[Any]) -> Any:
    """The first of a tensor, the tensor that it stands for, the one that this stands for, and so on outward, that is among
    `wanted`; the outermost one of a graph if none is. `wanted` may contain eager tensors."""
    while tensor not in wanted:
        outer = tensor.graph._outer_of(tensor)
        if outer is None:
            return tensor
        if is_eager_tensor(outer):
            return outer if outer in wanted else _outermost(outer, tensor)
        tensor = outer
    return tensor


def stand_in_of(value: Any) -> Tensor:
    """The placeholder that stands for an eager tensor in the outermost of the functions that are being built here and
    captured it; in the innermost one if none did."""
    return _outermost(value, get_default_graph().capture(value))


def _outermost(value: Any, placeholder: Tensor) -> Tensor:
    """Of the placeholders that stand for an eager tensor, in the graph of the given one and in those around it, the outermost."""
    graph: Any = graph_around(placeholder.graph)
    while graph is not None and graph.building_function:
        found = graph._placeholder_of(value)
        if found is not None:
            placeholder = found
        graph = graph_around(graph)
    return placeholder


def is_outside(tensor: Any, graph: Any) -> bool:
    """Whether a symbolic tensor is of another graph."""
    return is_graph_tensor(tensor) and tensor._op._graph is not graph
