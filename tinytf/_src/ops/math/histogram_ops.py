"""Histograms with bins of equal width."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.shape_ops import reshape, shape
from tinytf._src.ops.math.arithmetic import truediv
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.clip_ops import clip_by_value


@tf_export("histogram_fixed_width")
def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32, name: str | None = None
) -> Tensor:
    """Counts the values in each of `nbins` bins of equal width.

    Running the result raises InvalidArgumentError if the range is empty or `nbins` is not positive.

    Args:
      values: numeric tensor.
      value_range: vector of two numbers of the dtype of `values`; values outside count in the outermost bins.
      nbins: int32 scalar, number of bins.
      dtype: int32 or int64, dtype of the counts.
      name: optional name of the operation.

    Returns:
      A vector of `nbins` counts.
    """
    with name_scope(name, "histogram_fixed_width", [values, value_range, nbins]) as scope:
        return gen_ops.histogram_fixed_width(values, value_range, nbins, dtype=dtype, name=scope)


@tf_export("histogram_fixed_width_bins")
def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32, name: str | None = None
) -> Tensor:
    """Returns the index of the bin in which `histogram_fixed_width` counts each value.

    Args:
      values, value_range, nbins: as in `histogram_fixed_width`.
      dtype: ignored, as in TensorFlow 1.
      name: optional name of the name scope.

    Returns:
      An int32 tensor of the shape of `values`.
    """
    with name_scope(name, "histogram_fixed_width_bins", [values, value_range, nbins]):
        values = convert_to_tensor(values, name="values")
        shape_of_values = shape(values)
        values = reshape(values, [-1])
        value_range = convert_to_tensor(value_range, name="value_range")
        bins = cast(convert_to_tensor(nbins, dtype=dtypes.int32, name="nbins"), values.dtype)
        scaled = truediv(values - value_range[0], value_range[1] - value_range[0], name="scaled_values")
        indices = gen_ops.floor(bins * scaled, name="indices")
        indices = cast(clip_by_value(indices, 0, bins - 1), dtypes.int32)
        return reshape(indices, shape_of_values)
