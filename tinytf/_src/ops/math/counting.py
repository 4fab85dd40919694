"""Counting of integers."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.shape_ops import shape
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.reductions import reduce_max, reduce_prod

__all__ = ["bincount"]


@tf_export("math.bincount", "bincount")
def bincount(
    arr: Any, weights: Any = None, minlength: Any = None, maxlength: Any = None, dtype: Any = dtypes.int32
) -> Tensor:
    """Counts how often each of 0, 1, … occurs in an integer tensor, or sums up the weights.

    Args:
      arr: int32 tensor of nonnegative values.
      weights: optional tensor of the shape of `arr`.
      minlength: optional int, minimum length of the result.
      maxlength: optional int, maximum length of the result; larger values are not counted.
      dtype: dtype of the result without weights.

    Returns:
      A vector of `dtype`, or of the dtype of `weights`.
    """
    with name_scope("bincount"):
        arr = convert_to_tensor(arr, name="arr", dtype=dtypes.int32)
        is_nonempty = reduce_prod(shape(arr)) > 0
        size = cast(is_nonempty, dtypes.int32) * (reduce_max(arr) + 1)
        if minlength is not None:
            size = gen_ops.maximum(convert_to_tensor(minlength, name="minlength", dtype=dtypes.int32), size)
        if maxlength is not None:
            size = gen_ops.minimum(convert_to_tensor(maxlength, name="maxlength", dtype=dtypes.int32), size)
        if weights is not None:
            return gen_ops.unsorted_segment_sum(convert_to_tensor(weights, name="weights"), arr, size)
        return gen_ops.bincount(arr, size, constant([], dtype))
