"""Reductions along axes: sums, means, extrema and logical operations."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.errors.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.arguments import keeps_dims, renamed
from tinytf._src.ops.array.constant_tensors import zeros, zeros_like
from tinytf._src.ops.array.gathering import where
from tinytf._src.ops.array.shape_ops import rank, reshape, shape, size
from tinytf._src.ops.math import ranges
from tinytf._src.ops.math.casting import cast

__all__ = [
    "arg_max",
    "arg_min",
    "argmax",
    "argmin",
    "count_nonzero",
    "reduce_all",
    "reduce_any",
    "reduce_euclidean_norm",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_std",
    "reduce_sum",
    "reduce_variance",
]


def _options(axis: Any, keepdims: Any, reduction_indices: Any, keep_dims: Any) -> tuple[Any, Any]:
    axis = renamed("axis", axis, "reduction_indices", reduction_indices)
    return axis, keeps_dims(keepdims, keep_dims)


def reduction_dims(x: Any, axis: Any) -> Any:
    """Returns `axis`, or if that is None all axes, as a constant if the rank is known."""
    if axis is not None:
        return axis
    ndims = None
    if isinstance(x, Tensor):
        ndims = x._rank()
    elif isinstance(x, SparseTensor) and x.dense_shape.shape.is_fully_defined():
        ndims = x.dense_shape.shape[0].value
    if ndims is not None:
        return constant(np.arange(ndims), dtype=dtypes.int32)
    return ranges.range(0, rank(x))


def _may_be_scalar(keepdims: bool, axis: Any, output: Tensor) -> Tensor:
    if axis is None and not keepdims and not output.shape.is_fully_defined():
        output.set_shape(())
    return output


def _reduce(function: Any, x: Any, axis: Any, keepdims: bool, name: str | None) -> Tensor:
    return _may_be_scalar(keepdims, axis, function(x, reduction_dims(x, axis), keep_dims=keepdims, name=name))


@tf_export("math.reduce_sum", "reduce_sum")
def reduce_sum(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Computes sums along axes. Raises ValueError if an argument is given under both names.

    Args:
      input_tensor: numeric tensor.
      axis: int, list of ints or integer tensor; None means all axes.
      keepdims: bool, whether reduced axes stay with size 1.
      reduction_indices, keep_dims: deprecated names of `axis` and `keepdims`.
    """
    try:
        axis, keep = _options(axis, keepdims, reduction_indices, keep_dims)
        return _reduce(gen_ops.sum, input_tensor, axis, keep, name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.reduce_mean", "reduce_mean")
def reduce_mean(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Computes means along axes; integer means are rounded towards zero. Arguments are as in `reduce_sum`."""
    try:
        axis, keep = _options(axis, keepdims, reduction_indices, keep_dims)
        return _reduce(gen_ops.mean, input_tensor, axis, keep, name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.reduce_prod", "reduce_prod")
def reduce_prod(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Computes products along axes. Arguments are as in `reduce_sum`."""
    try:
        axis, keep = _options(axis, keepdims, reduction_indices, keep_dims)
        return _reduce(gen_ops.prod, input_tensor, axis, keep, name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.reduce_max", "reduce_max")
def reduce_max(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Computes maxima along axes. Arguments are as in `reduce_sum`."""
    try:
        axis, keep = _options(axis, keepdims, reduction_indices, keep_dims)
        return _reduce(gen_ops.max, input_tensor, axis, keep, name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.reduce_min", "reduce_min")
def reduce_min(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Computes minima along axes. Arguments are as in `reduce_sum`."""
    try:
        axis, keep = _options(axis, keepdims, reduction_indices, keep_dims)
        return _reduce(gen_ops.min, input_tensor, axis, keep, name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.reduce_all", "reduce_all")
def reduce_all(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Computes the logical and of bools along axes. Arguments are as in `reduce_sum`."""
    try:
        axis, keep = _options(axis, keepdims, reduction_indices, keep_dims)
        return _reduce(gen_ops.all, input_tensor, axis, keep, name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.reduce_any", "reduce_any")
def reduce_any(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Computes the logical or of bools along axes. Arguments are as in `reduce_sum`."""
    try:
        axis, keep = _options(axis, keepdims, reduction_indices, keep_dims)
        return _reduce(gen_ops.any, input_tensor, axis, keep, name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.reduce_euclidean_norm")
def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Computes the square root of the sum of squares along axes. Arguments are as in `reduce_sum`."""
    try:
        return _reduce(gen_ops.euclidean_norm, input_tensor, axis, keeps_dims(keepdims), name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.reduce_logsumexp", "reduce_logsumexp")
def reduce_logsumexp(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Computes `log(sum(exp(x)))` along axes without overflow. Arguments are as in `reduce_sum`."""
    try:
        axis, keep = _options(axis, keepdims, reduction_indices, keep_dims)
        x = convert_to_tensor(input_tensor)
        with name_scope(name, "ReduceLogSumExp", [x]):
            largest = reduce_max(x, axis=axis, keepdims=True)
            # With an infinite maximum as the offset, infinite elements would become NaN.
            offset = gen_ops.stop_gradient(where(gen_ops.is_finite(largest), largest, zeros_like(largest)))
            result = gen_ops.log(reduce_sum(gen_ops.exp(gen_ops.sub(x, offset)), axis, keepdims=keep))
            if not keep:
                offset = reshape(offset, shape(result))
            return _may_be_scalar(keep, axis, gen_ops.add(result, offset))
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.reduce_variance")
def reduce_variance(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """Computes variances (mean squared deviations) along axes."""
    with name_scope(name or "reduce_variance"):
        means = reduce_mean(input_tensor, axis=axis, keepdims=True)
        return reduce_mean(gen_ops.square(input_tensor - means), axis=axis, keepdims=keepdims)


@tf_export("math.reduce_std")
def reduce_std(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """Computes the square root of `reduce_variance`."""
    with name_scope(name or "reduce_std"):
        return gen_ops.sqrt(reduce_variance(input_tensor, axis=axis, keepdims=keepdims))


@tf_export("math.count_nonzero", "count_nonzero")
def count_nonzero(
    input_tensor: Any = None,
    axis: Any = None,
    keepdims: bool | None = None,
    dtype: Any = dtypes.int64,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
    input: Any = None,
) -> Tensor:
    """Counts elements other than 0, False or "" along axes, as `dtype`. Other arguments are as in `reduce_sum`."""
    x = renamed("input", input, "input_tensor", input_tensor)
    axis, keep = _options(axis, keepdims, reduction_indices, keep_dims)
    with name_scope(name, "count_nonzero", [x]):
        x = convert_to_tensor(x, name="input")
        differs = gen_ops.not_equal(x, zeros([], dtype=x.dtype))
        return cast(reduce_sum(cast(differs, dtypes.int64), axis=axis, keepdims=keep), dtype=dtype)


@tf_export("math.argmax", "argmax")
def argmax(
    input: Any, axis: Any = None, name: str | None = None, dimension: Any = None, output_type: Any = dtypes.int64
) -> Tensor:
    """Returns the index of the largest element along `axis` (default 0), the first if there are several.

    `output_type` is int64 or int32. `dimension` is a deprecated name of `axis`; ValueError if both are given.
    """
    try:
        axis = renamed("axis", axis, "dimension", dimension)
        return gen_ops.arg_max(input, 0 if axis is None else axis, output_type=output_type, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.argmin", "argmin")
def argmin(
    input: Any, axis: Any = None, name: str | None = None, dimension: Any = None, output_type: Any = dtypes.int64
) -> Tensor:
    """Returns the index of the smallest element along `axis`; used like `argmax`."""
    try:
        axis = renamed("axis", axis, "dimension", dimension)
        return gen_ops.arg_min(input, 0 if axis is None else axis, output_type=output_type, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("arg_max")
@called_by_users
def arg_max(input: Any, dimension: Any, output_type: Any = dtypes.int64, name: str | None = None) -> Tensor:
    """Deprecated form of `argmax`."""
    return gen_ops.arg_max(input, dimension, output_type=output_type, name=name)


@tf_export("arg_min")
@called_by_users
def arg_min(input: Any, dimension: Any, output_type: Any = dtypes.int64, name: str | None = None) -> Tensor:
    """Deprecated form of `argmin`."""
    return gen_ops.arg_min(input, dimension, output_type=output_type, name=name)


def reduced_shape(input_shape: Any, axes: Any) -> Tensor:
    """Returns the shape after a reduction with `keepdims`, an int32 vector: the sizes of `axes` are replaced by 1."""
    input_shape, axes = cast(input_shape, dtypes.int32), cast(axes, dtypes.int32)
    count = size(input_shape)
    axes = (axes + count) % count
    axes_shape = shape(axes)
    return gen_ops.dynamic_stitch([ranges.range(count), axes], [input_shape, gen_ops.fill(axes_shape, 1)])
