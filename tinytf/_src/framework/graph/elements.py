"""Lookup of a graph's tensors and operations by names or representing objects, with TensorFlow's error messages."""

from __future__ import annotations

import threading
from typing import Any

from tinytf._src.framework.graph.bases import BaseGraph, BaseOperation, BaseTensor
from tinytf._src.framework.sites.creation_line import creation_line
from tinytf._src.framework.values.tensor_like import is_eager_tensor


class HintedText(str):
    """An error message in TensorFlow's words (`plain`), followed by a hint for the user."""

    plain: str
    hint: str

    def __new__(cls, plain: str, hint: str) -> HintedText:
        text = super().__new__(cls, plain + hint)
        text.plain, text.hint = plain, hint
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        return HintedText, (self.plain, self.hint)


def split_hint(error: Exception) -> tuple[str, str]:
    """The text of `str(error)` in TensorFlow, and the hint that was added to it, for code that quotes the former."""
    text = error.args[0] if len(error.args) == 1 else None
    if isinstance(text, HintedText):
        return str(type(error)(text.plain)), text.hint
    return str(error), ""


def as_graph_element(graph: BaseGraph, obj: Any, allow_tensor: bool, allow_operation: bool) -> Any:
    """See `Graph.as_graph_element`."""
    if allow_tensor and allow_operation:
        types = "Tensor or Operation"
    elif allow_tensor:
        types = "Tensor"
    elif allow_operation:
        types = "Operation"
    else:
        raise ValueError("allow_tensor and allow_operation can't both be False.")
    if not isinstance(obj, (BaseTensor, BaseOperation, str, bytes)):
        stand_in = getattr(obj, "_as_graph_element", None)
        if stand_in is not None:
            obj = stand_in()
    if isinstance(obj, bytes):
        obj = obj.decode()
    if isinstance(obj, str):
        return _from_name(graph, obj, allow_tensor, allow_operation)
    if is_eager_tensor(obj):
        raise TypeError(
            f"Can not convert a {type(obj).__name__} into a {types}: it is not part of a graph, as it already has a value"
        )
    if isinstance(obj, BaseTensor) and allow_tensor:
        if obj.graph is not graph:
            raise ValueError(HintedText(f"Tensor {obj} is not an element of this graph.", _foreign(graph, obj)))
        return obj
    if isinstance(obj, BaseOperation) and allow_operation:
        if obj.graph is not graph:
            raise ValueError(HintedText(f"Operation {obj!r} is not an element of this graph.", _foreign(graph, obj)))
        return obj
    raise TypeError(f"Can not convert a {type(obj).__name__} into a {types}.")


def _from_name(graph: BaseGraph, name: str, allow_tensor: bool, allow_operation: bool) -> Any:
    if ":" in name and allow_tensor:
        try:
            op_name, number = name.split(":")
            index = int(number)
        except ValueError:
            raise ValueError(
                f"The name {name!r} looks a like a Tensor name, but is not a valid one. Tensor names must be of the form "
                '"<op_name>:<output_index>".'
            ) from None
        op = graph._nodes.named(op_name)
        if op is None:
            raise KeyError(
                HintedText(
                    f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, does not "
                    "exist in the graph.",
                    _suggestion(graph, op_name, name[len(op_name) :]),
                )
            )
        try:
            return op.outputs[index]
        except IndexError:
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, exists but only "
                f"has {len(op.outputs)} outputs."
            ) from None
    if ":" in name:
        raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a Operation.")
    op = graph._nodes.named(name)
    if not allow_operation:
        known = "refers to an Operation" if op is not None else "looks like an (invalid) Operation name"
        raise ValueError(
            f'The name {name!r} {known}, not a Tensor. Tensor names must be of the form "<op_name>:<output_index>".'
        )
    if op is None:
        text = f"The name {name!r} refers to an Operation not in the graph."
        raise KeyError(HintedText(text, _suggestion(graph, name, "")))
    return op


def _suggestion(graph: BaseGraph, name: str, suffix: str) -> str:
    """A hint with similar names in the graph, in case of a typo."""
    import difflib

    near = difflib.get_close_matches(name, [op.name for op in graph.get_operations()], n=3)
    return f" Did you mean {' or '.join(repr(n + suffix) for n in near)}?" if near else ""


def _foreign(graph: BaseGraph, element: BaseTensor | BaseOperation) -> str:
    """A hint that tells two graphs apart by where the element and the graphs were created."""
    op = element._op if isinstance(element, BaseTensor) else element
    what = "tensor" if isinstance(element, BaseTensor) else "operation"
    parts = [f" The {what}{_created(op)} belongs to {_portrait(op._graph)}; this is {_portrait(graph)}."]
    twin = graph._nodes.named(op.name)
    if twin is not None:
        parts.append(f" This graph has an operation {op.name!r} too,{_created(twin)}.")
    parts.append(" Create and run it in the same graph, both inside `with graph.as_default():`")
    if threading.current_thread() is not threading.main_thread():
        parts.append("; each thread starts with a default graph of its own")
    return "".join([*parts, "."])


def _created(op: BaseOperation) -> str:
    line = creation_line(op)
    return f" created at {line}" if line else ""


def _portrait(graph: BaseGraph) -> str:
    operations = graph.get_operations()
    if not operations:
        return f"<Graph {id(graph):#x}, empty>"
    count = "1 operation" if len(operations) == 1 else f"{len(operations)} operations"
    line = creation_line(operations[0])
    return f"<Graph {id(graph):#x}, {count}{', begun at ' + line if line else ''}>"
