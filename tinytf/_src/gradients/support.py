"""Helpers shared by gradient functions."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.context.execution import NoScope, executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.recorded_op import RecordedOp
from tinytf._src.ops import array_ops

_NO_SCOPE = NoScope()
# For each graph, by pair of static shapes: the axes over which gradients of broadcast operands are summed. TensorFlow
# creates the nodes that compute them once per graph, where the pair first occurs.
_axes_of_graphs: weakref.WeakKeyDictionary[Graph, dict[Any, Any]] = weakref.WeakKeyDictionary()


def after(grad: Any) -> Any:
    """Context manager that makes operations of the backward pass depend on the gradient, so that they do not occupy
    memory early."""
    return _NO_SCOPE if executing_eagerly() else get_default_graph().control_dependencies([grad.op])


def wants_gradient(op: Any, index: int) -> bool:
    """Whether the gradient of an input is needed. Always True in graph mode, where unneeded nodes do not run."""
    return op.__class__ is not RecordedOp or op.wants_gradient(index)


# -- Shapes: constants in graph mode if they are static; without name scopes in eager mode ----------------------------


def shape(x: Any, out_type: Any = dtypes.int32) -> Any:
    """The shape of `x`, as a vector of type `out_type`."""
    return gen_ops.shape(x, out_type=out_type) if executing_eagerly() else array_ops.shape(x, out_type=out_type)


def size(x: Any) -> Any:
    """The number of elements of `x`, an int32 scalar."""
    return gen_ops.size(x) if executing_eagerly() else array_ops.size(x)


def rank(x: Any) -> Any:
    """The number of dimensions of `x`, an int32 scalar."""
    return gen_ops.rank(x) if executing_eagerly() else array_ops.rank(x)


def known_shape(x: Any) -> tuple[int, ...] | None:
    """The static shape if it is fully defined, else None."""
    shape: Any = x._shape_tuple() if isinstance(x, Tensor) else None
    return None if shape is None or None in shape else shape


# -- Sums over broadcast dimensions -----------------------------------------------------------------------------------


def equal_shapes(x: Any, y: Any, grad: Any) -> bool:
    """Whether the operands and the gradient have the same, fully defined static shape."""
    shape = known_shape(grad)
    return shape is not None and shape == x._shape_tuple() == y._shape_tuple()


def reduced(x: Tensor, y: Tensor, grad: Tensor, grad_x: Any, grad_y: Any) -> list[Any]:
    """The gradients of a broadcasting binary op, summed over the broadcast dimensions.

    `grad_x` and `grad_y` build the full-size gradients; None stays None. In graph mode, the sums are always created.
    """
    if executing_eagerly():
        return _reduced_now(x, y, grad, grad_x, grad_y)
    return reduced_by(broadcast_axes(x, y), grad_x, grad_y)


def broadcast_axes(x: Any, y: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """For each operand a pair of tensors: its shape, and the axes over which its gradient is summed."""
    shape_x, shape_y = shape(x), shape(y)
    axes_x, axes_y = gen_ops.broadcast_gradient_args(shape_x, shape_y)
    return (shape_x, axes_x), (shape_y, axes_y)


def reduced_by(axes: Any, *gradients: Any) -> list[Any]:
    """The gradients built by functions, summed and reshaped as `broadcast_axes` determined. None stays None."""
    return [
        gen_ops.reshape(gen_ops.sum(full(), axis), own) if full else None
        for full, (own, axis) in zip(gradients, axes, strict=True)
    ]


def reduced_if_needed(
    x: Tensor, y: Tensor, grad: Tensor, grad_x: Callable[[], Any], grad_y: Callable[[], Any], negate_y: bool = False
) -> list[Any]:
    """Like `reduced`, but with static shapes only operands that were broadcast are summed, over constant axes.

    With `negate_y`, the gradient of y is negated after the sum.
    """
    if executing_eagerly():
        return _reduced_now(x, y, grad, grad_x, (lambda: -grad_y()) if negate_y else grad_y)
    results = []
    for number, (full, (own, axes, needed)) in enumerate(zip((grad_x, grad_y), _smart_axes(x, y, grad), strict=True)):
        gradient = gen_ops.reshape(gen_ops.sum(full(), axes), own) if needed else full()
        results.append(-gradient if number and negate_y else gradient)
    return results


def _smart_axes(x: Tensor, y: Tensor, grad: Any) -> list[tuple[Any, Any, bool]]:
    """For each operand: its shape, the axes to sum over, and whether a sum is needed."""
    if not isinstance(grad, Tensor):
        return [(*pair, True) for pair in broadcast_axes(x, y)]
    shape_x, shape_y = known_shape(x), known_shape(y)
    if shape_x is None or shape_y is None:
        dims = array_ops.shape_internal(x, optimize=False), array_ops.shape_internal(y, optimize=False)
        axes = gen_ops.broadcast_gradient_args(dims[0], dims[1])
        return [(own, axis, True) for own, axis in zip(dims, axes, strict=True)]
    known = _axes_of_graphs.setdefault(get_default_graph(), {})
    pair = shape_x, shape_y
    if pair not in known:
        gen_ops.broadcast_gradient_args(shape_x, shape_y)
        known[pair] = _static_axes(shape_x, shape_y)
    full = grad._shape_tuple()
    return [(own, axes, own != full) for own, axes in zip(pair, known[pair], strict=True)]


def _static_axes(x: Any, y: Any) -> tuple[list[int], list[int]]:
    """The result of BroadcastGradientArgs for two static shapes."""
    if x == y:
        return [], []
    length = max(len(x), len(y))
    a, b = ((1,) * (length - len(s)) + tuple(s) for s in (x, y))
    return [i for i, dim in enumerate(a) if dim == 1], [i for i, dim in enumerate(b) if dim == 1]


def _reduced_now(x: Any, y: Any, grad: Any, grad_x: Any, grad_y: Any) -> list[Any]:
    """`reduced` in eager mode, without operations that the shapes make superfluous."""
    full = known_shape(grad)
    if full is None or not _is_broadcast(
        full, x._shape_tuple(), y._shape_tuple()
    ):  # rows, or a wrong shape, which is an error
        return reduced_by(broadcast_axes(x, y), grad_x, grad_y)
    return [_sum_to(f(), full, t._shape_tuple()) if f else None for f, t in ((grad_x, x), (grad_y, y))]


def _is_broadcast(full: Any, a: Any, b: Any) -> bool:
    """Whether `full` is the result of broadcasting two compatible shapes."""
    if full == a == b:
        return True
    length = max(len(a), len(b))
    if len(full) != length:
        return False
    a, b = (1,) * (length - len(a)) + a, (1,) * (length - len(b)) + b
    return all(dim == (right if left == 1 else left) for dim, left, right in zip(full, a, b, strict=True))


def _sum_to(full: Tensor, shape: Any, own: Any) -> Tensor:
    """Sums a gradient over the dimensions along which an input of shape `own` was broadcast to `shape`."""
    if shape == own:
        return full
    missing = len(shape) - len(own)
    axes = [i for i in range(len(shape)) if i < missing or (own[i - missing] == 1 and shape[i] != 1)]
    summed = gen_ops.sum(full, constant(axes)) if axes else full
    return summed if len(axes) == missing else gen_ops.reshape(summed, constant(own, dtypes.int32))


def conj(x: Tensor) -> Tensor:
    """The complex conjugate; real tensors unchanged."""
    return gen_ops.conj(x) if x.dtype.is_complex else x
