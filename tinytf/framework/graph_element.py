"""From names and stand-ins to the tensors and operations of a graph, with TensorFlow's error texts."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor

if TYPE_CHECKING:
    from tinytf.framework.graph import Graph


def as_graph_element(graph: Graph, obj: Any, allow_tensor: bool, allow_operation: bool) -> Any:
    """See `Graph.as_graph_element`."""
    if allow_tensor and allow_operation:
        types = "Tensor or Operation"
    elif allow_tensor:
        types = "Tensor"
    elif allow_operation:
        types = "Operation"
    else:
        raise ValueError("allow_tensor and allow_operation can't both be False.")
    if not isinstance(obj, (Tensor, Operation, str, bytes)):
        stand_in = getattr(obj, "_as_graph_element", None)
        if stand_in is not None:
            obj = stand_in()
    if isinstance(obj, bytes):
        obj = obj.decode()
    if isinstance(obj, str):
        return _from_name(graph, obj, allow_tensor, allow_operation)
    if isinstance(obj, Tensor) and allow_tensor:
        if obj.graph is not graph:
            raise ValueError(f"Tensor {obj} is not an element of this graph.")
        return obj
    if isinstance(obj, Operation) and allow_operation:
        if obj.graph is not graph:
            raise ValueError(f"Operation {obj!r} is not an element of this graph.")
        return obj
    raise TypeError(f"Can not convert a {type(obj).__name__} into a {types}.")


def _from_name(graph: Graph, name: str, allow_tensor: bool, allow_operation: bool) -> Any:
    if ":" in name and allow_tensor:
        op_name, _, index = name.rpartition(":")
        if not op_name or not index.isdigit() or ":" in op_name:
            raise ValueError(
                f"The name {name!r} looks a like a Tensor name, but is not a valid one. Tensor names must be of the form "
                '"<op_name>:<output_index>".'
            )
        op = graph._find_op(op_name)
        if op is None:
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, does not exist "
                f"in the graph.{_suggestion(graph, op_name, name[len(op_name) :])}"
            )
        if int(index) >= len(op.outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, exists but only "
                f"has {len(op.outputs)} outputs."
            )
        return op.outputs[int(index)]
    if ":" in name:
        raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a Operation.")
    op = graph._find_op(name)
    if op is None:
        raise KeyError(f"The name {name!r} refers to an Operation not in the graph.{_suggestion(graph, name, '')}")
    if not allow_operation:
        raise ValueError(
            f"The name {name!r} refers to an Operation, not a Tensor. Tensor names must be of the form "
            '"<op_name>:<output_index>".'
        )
    return op


def _suggestion(graph: Graph, name: str, suffix: str) -> str:
    """Near misses among the graph's names, for people who mistyped one."""
    near = difflib.get_close_matches(name, [op.name for op in graph.get_operations()], n=3)
    return f" Did you mean {' or '.join(repr(n + suffix) for n in near)}?" if near else ""
