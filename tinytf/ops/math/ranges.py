"""Sequences of numbers, and sums and products along them."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor
from tinytf.ops.math.casting import cast

__all__ = ["cumprod", "cumsum", "lin_space", "linspace", "range"]

_HIERARCHY = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]


@tf_export("range")
def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Tensor:
    """The numbers from `start` (0) to before `limit` in steps of `delta`, all scalars.

    The type is `dtype`, or the widest of the arguments among int32, int64, float32 and float64.
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
    """`num` numbers from `start` to `stop`, both included, at equal distances. `num` must be positive."""
    return gen_ops.lin_space(start, stop, num, name=name)


lin_space = linspace


@tf_export("math.cumsum", "cumsum")
def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """Partial sums along `axis`: up to each element (before it if `exclusive`), from the end if `reverse`."""
    with name_scope(name, "Cumsum", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return gen_ops.cumsum(x, axis, exclusive=exclusive, reverse=reverse, name=scope)


@tf_export("math.cumprod", "cumprod")
def cumprod(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """Partial products along `axis`: up to each element (before it if `exclusive`), from the end if `reverse`."""
    with name_scope(name, "Cumprod", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return gen_ops.cumprod(x, axis, exclusive=exclusive, reverse=reverse, name=scope)


def numbers_of(tensor: Tensor) -> tuple[Tensor, Tensor, Tensor] | None:
    """First number, limit and step of a graph's tensor that is a range; None for others."""
    return tuple(tensor.op.inputs) if tensor.op.type == "Range" else None  # type: ignore[return-value]
