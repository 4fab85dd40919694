"""The dtype of the variable behind a resource handle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.resources.handle_source import handle_source
from tinytf._src.framework.values import dtypes


def held_type(handle: Tensor) -> dtypes.DType:
    """The dtype of the variable; float32 if it is unknown, as in TensorFlow."""
    return known_held_type(handle) or dtypes.float32


def known_held_type(handle: Tensor) -> dtypes.DType | None:
    """The dtype of the variable, from the graph or from operations that use the handle, also in functions; None if
    unknown."""
    seen: set[Tensor] = set()
    pending = [handle]
    while pending:
        tensor = pending.pop()
        if tensor in seen:
            continue
        seen.add(tensor)
        known = tensor.graph._core.handle_info(tensor._key)
        if known is not None:
            return dtypes.as_dtype(known[0])
        for op in tensor.consumers():
            if (dtype := op._raw_attr("dtype")) is not None:
                return dtypes.as_dtype(dtype)
            pending += _inside(op, tensor)
        pending.append(handle_source(tensor))
        if tensor.op._spec.control_flow:
            pending += [t for t in tensor.op.inputs if t.dtype == dtypes.resource]
    return None


def _inside(op: Any, tensor: Tensor) -> Iterator[Tensor]:
    """Yields the placeholders for a tensor in the traced functions that an operation calls with it."""
    if not op._spec.runs_functions:
        return
    first = 1 if op._raw_attr("then_branch") is not None or op._raw_attr("branches") is not None else 0
    place = list(op.inputs).index(tensor) - first
    for attr in op._spec.attrs:
        if attr.kind in ("func", "list(func)"):
            names = op._raw_attr(attr.name)
            for name in [names] if attr.kind == "func" else names:
                function = op.graph._functions.find(name) or op.graph._functions.parts.get(name)
                inputs = getattr(function, "inputs", ())
                if 0 <= place < len(inputs):
                    yield inputs[place]
