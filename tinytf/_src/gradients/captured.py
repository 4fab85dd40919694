"""Maps tensors captured by function bodies to the tensors of the surrounding graphs."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from tinytf._src.framework.graph.default_graph import get_default_graph, graph_around
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values.tensor_like import is_eager_tensor, is_graph_tensor


def seen_from_outside(tensor: Tensor, wanted: Container[Any]) -> Any:
    """Follows the captures of a tensor outward and returns the first tensor in `wanted`, which may contain eager
    tensors; if there is none, the outermost graph tensor."""
    while tensor not in wanted:
        outer = tensor.graph._outer_of(tensor)
        if outer is None:
            return tensor
        if is_eager_tensor(outer):
            return outer if outer in wanted else _outermost(outer, tensor)
        tensor = outer
    return tensor


def stand_in_of(value: Any) -> Tensor:
    """The placeholder for a captured eager tensor in the outermost of the functions being traced that captured it; if
    none did, in the innermost function."""
    return _outermost(value, get_default_graph().capture(value))


def _outermost(value: Any, placeholder: Tensor) -> Tensor:
    """The outermost placeholder for an eager tensor, in the graph of the given placeholder and the graphs around it."""
    graph: Any = graph_around(placeholder.graph)
    while graph is not None and graph.building_function:
        found = graph._placeholder_of(value)
        if found is not None:
            placeholder = found
        graph = graph_around(graph)
    return placeholder


def is_outside(tensor: Any, graph: Any) -> bool:
    """Whether a symbolic tensor belongs to another graph."""
    return is_graph_tensor(tensor) and tensor._op._graph is not graph
