"""Gradients of calls of functions."""

from __future__ import annotations

from typing import Any

from tinytf.gradients.registry import RegisterGradient


@RegisterGradient("PartitionedCall")
@RegisterGradient("StatefulPartitionedCall")
def _call_grad(op: Any, *grads: Any) -> list[Any]:
    name = op._raw_attr("f")
    function = op.graph._functions.get(name)
    if function is None:
        raise LookupError(
            f"No gradient defined for operation '{op.name}' (op type: {op.type}): the function {name} was imported, so that "
            "its Python function is not known."
        )
    return function.gradient_of_call(op, grads)
