"""Sorting along an axis."""

from __future__ import annotations

import builtins
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.shape_ops import rank, shape
from tinytf._src.ops.array.transposition import transpose
from tinytf._src.ops.math.ranges import range


@tf_export("sort")
def sort(values: Any, axis: Any = -1, direction: str = "ASCENDING", name: str | None = None) -> Tensor:
    """Sorts a tensor along an axis.

    Args:
      values: numeric tensor.
      axis: int or constant scalar.
      direction: "ASCENDING" or "DESCENDING".
      name: optional name of the name scope.

    Returns:
      A tensor like `values`.

    Raises:
      ValueError: if `direction` is unknown, or if `axis` is not a constant scalar.
    """
    with name_scope(name, "sort"):
        return _sorted(values, axis, direction, indices=False)


@tf_export("argsort")
def argsort(
    values: Any, axis: Any = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Tensor:
    """Returns the indices that sort a tensor along an axis.

    Args:
      values: numeric tensor.
      axis: int or constant scalar.
      direction: "ASCENDING" or "DESCENDING".
      stable: ignored; the sort is always stable.
      name: optional name of the name scope.

    Returns:
      An int32 tensor of the shape of `values`.

    Raises:
      ValueError: if `direction` is unknown, or if `axis` is not a constant scalar.
    """
    with name_scope(name, "argsort"):
        return _sorted(values, axis, direction, indices=True)


def _sorted(values: Any, axis: Any, direction: str, indices: bool) -> Tensor:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(f"{direction} should be one of ASCENDING, DESCENDING")
    known = constant_value(convert_to_tensor(axis, name="axis"))
    if known is None or getattr(known, "ndim", 0) != 0:
        raise ValueError("axis must be a constant scalar")
    values = convert_to_tensor(values, name="values")
    if direction == "DESCENDING":
        return _descending(values, int(known), indices)
    result = _descending(-values, int(known), indices)
    return result if indices else -result


def _descending(values: Tensor, axis: int, indices: bool) -> Tensor:
    ndims = values.shape.ndims
    count = shape(values)[axis]
    dims = rank(
        values
    )  # Also if it is not used, because TensorFlow has the node and the number of nodes affects seeds.
    if axis == -1 or axis + 1 == ndims:
        return gen_ops.top_kv2(values, count)[int(indices)]
    if ndims is None:
        transposition = _swapped_with_last(axis if axis >= 0 else axis + dims, dims)
    else:
        perm = list(builtins.range(ndims))
        perm[axis], perm[-1] = perm[-1], perm[axis]
        transposition = constant(perm, dtypes.int64, name="transposition")
    return transpose(gen_ops.top_kv2(transpose(values, transposition), count)[int(indices)], transposition)


def _swapped_with_last(axis: Any, dims: Tensor) -> Tensor:
    """The permutation of `dims` dimensions that swaps `axis`, which is not negative, with the last one."""
    return concat([range(axis), [dims - 1], range(axis + 1, dims - 1), [axis]], axis=0)
