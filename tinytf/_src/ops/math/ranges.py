"""Number sequences, and cumulative sums and products."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.math.casting import cast

__all__ = ["cumprod", "cumsum", "lin_space", "linspace", "range"]

_HIERARCHY = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]


@tf_export("range")
def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Tensor:
    """Creates the sequence of numbers from `start` (inclusive) to `limit` (exclusive).

    Args:
      start: scalar; if `limit` is None it is the limit, and the sequence starts at 0.
      limit: optional scalar.
      delta: scalar, the step.
      dtype: dtype of the result; defaults to the widest of the arguments among int32, int64, float32 and float64.
      name: name of the operation.

    Returns:
      A vector.
    """
    if limit is None:
        start, limit = 0, start
    with name_scope(name, "Range", [start, limit, delta]) as scope:
        start = convert_to_tensor(start, dtype=dtype, name="start")
        limit = convert_to_tensor(limit, dtype=dtype, name="limit")
        delta = convert_to_tensor(delta, dtype=dtype, name="delta")
        if dtype is None:
            widest = max((x.dtype.base_dtype for x in (start, limit, delta)), key=_HIERARCHY.index)
            start, limit, delta = cast(start, widest), cast(limit, widest), cast(delta, widest)
        return gen_ops.range(start, limit, delta, name=scope)


@tf_export("lin_space", "linspace")
@called_by_users
def linspace(start: Any, stop: Any, num: Any, name: str | None = None) -> Tensor:
    """Creates `num` evenly spaced numbers from `start` to `stop`, both inclusive.

    Args:
      start: float scalar.
      stop: scalar of the same dtype.
      num: positive integer scalar.
      name: optional name of the operation.

    Returns:
      A vector of length `num`.
    """
    return gen_ops.lin_space(start, stop, num, name=name)


lin_space = linspace


@tf_export("math.cumsum", "cumsum")
def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """Computes cumulative sums along an axis.

    Args:
      x: numeric tensor.
      axis: int32 scalar.
      exclusive: bool, whether an element is left out of its own sum.
      reverse: bool, whether sums run from the end.
      name: optional name of the operation.

    Returns:
      A tensor like `x`.
    """
    with name_scope(name, "Cumsum", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return gen_ops.cumsum(x, axis, exclusive=exclusive, reverse=reverse, name=scope)


@tf_export("math.cumprod", "cumprod")
def cumprod(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """Computes cumulative products along an axis.

    Args:
      x, axis, exclusive, reverse, name: as in `cumsum`.

    Returns:
      A tensor like `x`.
    """
    with name_scope(name, "Cumprod", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return gen_ops.cumprod(x, axis, exclusive=exclusive, reverse=reverse, name=scope)


def numbers_of(tensor: Tensor) -> tuple[Tensor, Tensor, Tensor] | None:
    """Returns start, limit and step if a graph tensor is the output of a Range op, otherwise None."""
    return tuple(tensor.op.inputs) if tensor.op.type == "Range" else None  # type: ignore[return-value]
