"""Gradients of optional values, which are optional values themselves."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.gradients.registry import gradient_of


@gradient_of("OptionalFromValue")
def _from_value(op: Any, grad: Any) -> Any:
    shapes = [tensor.shape for tensor in op.inputs]
    return gen_ops.optional_get_value(grad, [tensor.dtype for tensor in op.inputs], shapes)


@gradient_of("OptionalGetValue")
def _get_value(op: Any, *grads: Any) -> Any:
    return gen_ops.optional_from_value(list(grads))
