"""Pieces that many gradient functions share."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.framework.tensor import Tensor


def shapes_equal(x: Tensor, y: Tensor, grad: Tensor) -> bool:
    """Whether x, y and grad surely have one shape, so that no broadcasting needs undoing."""
    shape = x._shape_tuple()
    return shape is not None and None not in shape and shape == y._shape_tuple() == grad._shape_tuple()


def unbroadcast(x: Tensor, y: Tensor, grad: Tensor, grad_x: Any, grad_y: Any) -> list[Any]:
    """Sums gradients of a broadcasting binary op over the dimensions that were broadcast. None stays None.

    `grad_x` and `grad_y` are functions that build the full-size gradients, called only where needed.
    """
    if shapes_equal(x, y, grad):
        return [grad_x() if grad_x else None, grad_y() if grad_y else None]
    shape_x, shape_y = gen_ops.shape(x), gen_ops.shape(y)
    axes = gen_ops.broadcast_gradient_args(shape_x, shape_y)
    return [
        gen_ops.reshape(gen_ops.sum(full(), axis), shape) if full else None
        for full, axis, shape in ((grad_x, axes[0], shape_x), (grad_y, axes[1], shape_y))
    ]


def conj(x: Tensor) -> Tensor:
    """The complex conjugate; real tensors as they are."""
    return gen_ops.conj(x) if x.dtype.is_complex else x
