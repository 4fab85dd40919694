"""Traces resource handles back through loops and function calls."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.graph.tensor import Tensor


def handle_source(handle: Tensor) -> Tensor:
    """Follows a handle that a loop or a function call returns unchanged back to the handle that was passed in; other
    handles are returned as they are."""
    while handle.op._spec.runs_functions:
        op, place = handle.op, handle._key & 0xFFFFFFFF
        if op._raw_attr("body") is None:
            function: Any = op.graph._functions.find(op._raw_attr("f"))
            given = None if function is None else function.input_that_is_yielded(place)
            if given is None:
                break
            place = given
        handle = op.inputs[place]
    return handle
