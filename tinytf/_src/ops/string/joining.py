"""`tf.strings.reduce_join`: joins the strings along dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.arguments import renamed
from tinytf._src.ops.array.shape_ops import rank
from tinytf._src.ops.math.ranges import range as range_of


@tf_export("strings.reduce_join", "reduce_join")
@called_by_users
def reduce_join(
    inputs: Any,
    axis: Any = None,
    keep_dims: bool | None = None,
    separator: str = "",
    name: str | None = None,
    reduction_indices: Any = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Joins the strings along dimensions.

    Args:
      inputs: string tensor.
      axis: int, or list of ints: the dimensions, the first of which varies fastest. None means all, the last of which
        varies fastest; the result is then a scalar.
      keep_dims: deprecated name of `keepdims`.
      separator: str between the strings.
      name: optional name of the operation.
      reduction_indices: deprecated name of `axis`.
      keepdims: bool, whether the dimensions remain, with size 1; False by default.

    Returns:
      A string tensor.

    Raises:
      InvalidArgumentError: at run time, for dimensions that do not exist or are given twice.
    """
    axis = renamed("axis", axis, "reduction_indices", reduction_indices)
    keepdims = renamed("keepdims", keepdims, "keep_dims", keep_dims)
    with name_scope(None, "ReduceJoin", [inputs, axis]):
        tensor = convert_to_tensor(inputs)
        if axis is None:
            axis = _all_dimensions(tensor)
        return gen_ops.reduce_join(tensor, axis, keep_dims=bool(keepdims), separator=separator, name=name)


def _all_dimensions(tensor: Tensor) -> Any:
    """Returns the dimensions, the last one first."""
    if tensor.shape.ndims is None:
        return range_of(rank(tensor) - 1, -1, -1)
    return constant(np.arange(tensor.shape.ndims - 1, -1, -1), dtype=dtypes.int32)
