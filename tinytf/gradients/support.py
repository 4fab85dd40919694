"""Pieces that many gradient functions share."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.framework import dtypes
from tinytf.framework.constant_op import constant
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.execution import NoScope, executing_eagerly
from tinytf.framework.tensor import Tensor
from tinytf.gradients.recorded_op import RecordedOp

_NO_SCOPE = NoScope()


def after(grad: Any) -> Any:
    """Work of the backward pass in the body waits for the gradient, so that it does not hold memory early."""
    return _NO_SCOPE if executing_eagerly() else get_default_graph().control_dependencies([grad.op])


def wants_gradient(op: Any, index: int) -> bool:
    """Whether the gradient of that input is of use. In graphs always: nodes that nothing needs are not run."""
    return op.__class__ is not RecordedOp or op.wants_gradient(index)


def unbroadcast(x: Tensor, y: Tensor, grad: Tensor, grad_x: Any, grad_y: Any) -> list[Any]:
    """Sums gradients of a broadcasting binary op over the dimensions that were broadcast. None stays None.

    `grad_x` and `grad_y` are functions that build the full-size gradients, called only where needed.
    """
    shape, shape_x, shape_y = _known_shape(grad), _known_shape(x), _known_shape(y)
    if shape is not None and shape == shape_x == shape_y:
        return [grad_x() if grad_x else None, grad_y() if grad_y else None]
    if shape is not None and executing_eagerly():
        return [_sum_to(full(), shape, own) if full else None for full, own in ((grad_x, shape_x), (grad_y, shape_y))]
    dims_x, dims_y = gen_ops.shape(x), gen_ops.shape(y)
    axes = gen_ops.broadcast_gradient_args(dims_x, dims_y)
    return [
        gen_ops.reshape(gen_ops.sum(full(), axis), dims) if full else None
        for full, axis, dims in ((grad_x, axes[0], dims_x), (grad_y, axes[1], dims_y))
    ]


def _known_shape(x: Any) -> tuple[int | None, ...] | None:
    """The shape if all of it is known."""
    shape = x._shape_tuple() if isinstance(x, Tensor) else None
    return None if shape is None or None in shape else shape


def _sum_to(full: Tensor, shape: Any, own: Any) -> Tensor:
    """Sums a gradient of `shape` over the dimensions that an input of shape `own` does not have or has as 1."""
    if shape == own:
        return full
    missing = len(shape) - len(own)
    axes = [i for i in range(len(shape)) if i < missing or (own[i - missing] == 1 and shape[i] != 1)]
    summed = gen_ops.sum(full, constant(axes)) if axes else full
    return summed if len(axes) == missing else gen_ops.reshape(summed, constant(own, dtypes.int32))


def conj(x: Tensor) -> Tensor:
    """The complex conjugate; real tensors as they are."""
    return gen_ops.conj(x) if x.dtype.is_complex else x
