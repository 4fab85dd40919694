"""Moments, batch normalization and other normalizations."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.arguments import keeps_dims, renamed
from tinytf._src.ops.array.constant_tensors import zeros_like
from tinytf._src.ops.array.gathering import gather
from tinytf._src.ops.array.shape_ops import shape, squeeze
from tinytf._src.ops.math.arithmetic import complex, real
from tinytf._src.ops.math.arithmetic import imag as imaginary
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.reductions import reduce_mean, reduce_prod, reduce_sum

_MIN_EPSILON = 1.001e-5


@tf_export("nn.moments")
def moments(
    x: Any,
    axes: Any,
    shift: Any = None,
    name: str | None = None,
    keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor]:
    """Computes mean and biased variance along axes; float16 is computed as float32.

    Args:
      x: tensor.
      axes: list of ints.
      shift: ignored.
      name: optional name of the name scope.
      keep_dims: deprecated name of `keepdims`.
      keepdims: bool, whether reduced axes stay with size 1.

    Returns:
      A pair of tensors: mean and variance.

    Raises:
      ValueError: if `keepdims` is given under both names.
    """
    keep = keeps_dims(keepdims, keep_dims)
    with name_scope(name, "moments", [x, axes]):
        narrow = x.dtype is dtypes.float16
        y = cast(x, dtypes.float32) if narrow else x
        mean = reduce_mean(y, axes, keepdims=True, name="mean")
        distances = gen_ops.squared_difference(y, gen_ops.stop_gradient(mean))
        variance = reduce_mean(distances, axes, keepdims=True, name="variance")
        if not keep:
            mean, variance = squeeze(mean, axes), squeeze(variance, axes)
        if narrow:
            return cast(mean, dtypes.float16), cast(variance, dtypes.float16)
        return mean, variance


@tf_export("nn.weighted_moments")
def weighted_moments(
    x: Any,
    axes: Any,
    frequency_weights: Any,
    name: str | None = None,
    keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor]:
    """Computes weighted mean and variance along axes.

    Args:
      x, axes, name, keep_dims, keepdims: as in `moments`.
      frequency_weights: tensor that broadcasts to the shape of `x`.

    Returns:
      A pair of tensors: mean and variance.
    """
    keep = keeps_dims(keepdims, keep_dims)
    with name_scope(name, "weighted_moments", [x, frequency_weights, axes]):
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(frequency_weights, name="frequency_weights")
        narrow = x.dtype is dtypes.float16
        if narrow:
            x = cast(x, dtypes.float32)
        weights = cast(weights, x.dtype)
        total = reduce_sum(weights * x, axes, name="weighted_input_sum", keepdims=True)
        spread = weights + zeros_like(x)
        weight = reduce_sum(spread, axes, name="sum_of_weights", keepdims=True)
        divisor = gen_ops.reciprocal(weight, name="inv_weight_sum")
        mean = gen_ops.mul(total, divisor)
        distances = weights * gen_ops.squared_difference(x, mean)
        variance = gen_ops.mul(reduce_sum(distances, axes, name="weighted_distsq", keepdims=True), divisor)
        if not keep:
            mean, variance = squeeze(mean, axes), squeeze(variance, axes)
        if narrow:
            return cast(mean, dtypes.float16), cast(variance, dtypes.float16)
        return mean, variance


@tf_export("nn.sufficient_statistics")
@called_by_users
def sufficient_statistics(
    x: Any,
    axes: Any,
    shift: Any = None,
    keep_dims: bool | None = None,
    name: str | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor, Tensor, Any]:
    """Computes the statistics that `normalize_moments` needs.

    Args:
      x, axes, keep_dims, name, keepdims: as in `moments`.
      shift: optional tensor that is subtracted from `x`, for numerical stability.

    Returns:
      Count, sum and sum of squares of `x - shift` along `axes`, and `shift`.
    """
    keep = keeps_dims(keepdims, keep_dims)
    axes = list(set(axes))
    with name_scope(name, "sufficient_statistics", [x, shift]):
        x = convert_to_tensor(x, name="x")
        known = x.shape.as_list() if x.shape.ndims is not None else None
        if known is not None and all(known[d] is not None for d in axes):
            size = 1
            for d in axes:
                size *= known[d]
            counts = constant(size, dtype=x.dtype)
        else:
            counts = reduce_prod(gather(cast(shape(x), x.dtype), axes), name="count")
        if shift is not None:
            shift = convert_to_tensor(shift, name="shift")
            first, second = gen_ops.sub(x, shift), gen_ops.squared_difference(x, shift)
        else:
            first, second = x, gen_ops.square(x)
        mean_ss = reduce_sum(first, axes, keepdims=keep, name="mean_ss")
        var_ss = reduce_sum(second, axes, keepdims=keep, name="var_ss")
        return counts, mean_ss, var_ss, shift


@tf_export("nn.normalize_moments")
def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Computes mean and variance from the results of `sufficient_statistics`.

    Args:
      counts, mean_ss, variance_ss, shift: results of `sufficient_statistics`.
    """
    with name_scope(name, "normalize", [counts, mean_ss, variance_ss, shift]):
        divisor = gen_ops.reciprocal(counts, name="divisor")
        if shift is not None:
            shifted = gen_ops.mul(mean_ss, divisor, name="shifted_mean")
            mean = gen_ops.add(shifted, shift, name="mean")
        else:
            shifted = mean = gen_ops.mul(mean_ss, divisor, name="mean")
        scaled = gen_ops.mul(variance_ss, divisor)
        return mean, gen_ops.sub(scaled, gen_ops.square(shifted), name="variance")


@tf_export("nn.batch_normalization")
def batch_normalization(
    x: Any, mean: Any, variance: Any, offset: Any, scale: Any, variance_epsilon: Any, name: str | None = None
) -> Tensor:
    """Computes `(x - mean) / sqrt(variance + variance_epsilon) * scale + offset`.

    Args:
      x: tensor.
      mean, variance: tensors that broadcast to `x`.
      offset, scale: tensors that broadcast to `x`, or None.
      variance_epsilon: float.
    """
    with name_scope(name, "batchnorm", [x, mean, variance, scale, offset]):
        factor = gen_ops.rsqrt(variance + variance_epsilon)
        if scale is not None:
            factor *= scale
        scaled = x * cast(factor, x.dtype)
        return scaled + cast(offset - mean * factor if offset is not None else -mean * factor, x.dtype)


@tf_export("nn.batch_norm_with_global_normalization")
def batch_norm_with_global_normalization(
    t: Any = None,
    m: Any = None,
    v: Any = None,
    beta: Any = None,
    gamma: Any = None,
    variance_epsilon: Any = None,
    scale_after_normalization: Any = None,
    name: str | None = None,
    input: Any = None,
    mean: Any = None,
    variance: Any = None,
) -> Tensor:
    """Deprecated form of `batch_normalization`; `gamma` is used only if `scale_after_normalization` is True."""
    t = renamed("input", input, "t", t)
    m = renamed("mean", mean, "m", m)
    v = renamed("variance", variance, "v", v)
    return batch_normalization(t, m, v, beta, gamma if scale_after_normalization else None, variance_epsilon, name)


@tf_export("nn.fused_batch_norm")
@called_by_users
def fused_batch_norm(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any = None,
    variance: Any = None,
    epsilon: float = 0.001,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Applies batch normalization to images in one op.

    Args:
      x: tensor [batch, height, width, channels], or [batch, channels, height, width] for "NCHW".
      scale, offset: vectors with one element per channel.
      mean, variance: vectors with one element per channel; must be None if `is_training` is True.
      epsilon: float added to the variance, at least 1.001e-5.
      data_format: "NHWC" or "NCHW".
      is_training: bool, whether the statistics of the batch are used.
      name: optional name of the operation.

    Returns:
      The normalized tensor, and the mean and variance of the batch.

    Raises:
      ValueError: if `is_training` is True and `mean` or `variance` is given.
    """
    x = convert_to_tensor(x, name="input")
    scale = convert_to_tensor(scale, name="scale")
    offset = convert_to_tensor(offset, name="offset")
    if is_training and (mean is not None or variance is not None):
        raise ValueError("Both 'mean' and 'variance' must be None if is_training is True.")
    if mean is None:
        mean = constant([])
    if variance is None:
        variance = constant([])
    outputs = gen_ops.fused_batch_norm_v3(
        x,
        scale,
        offset,
        mean,
        variance,
        epsilon=max(epsilon, _MIN_EPSILON),
        data_format=data_format,
        is_training=is_training,
        name=name,
    )
    return outputs[0], outputs[1], outputs[2]


@tf_export("linalg.l2_normalize", "math.l2_normalize", "nn.l2_normalize")
def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None, dim: Any = None) -> Tensor:
    """Computes `x / sqrt(max(sum(x**2), epsilon))` along axes. Raises ValueError if the axes are given under both
    names.

    Args:
      x: floating-point or complex tensor.
      axis: int or list of ints; None means all axes.
      epsilon: float, lower bound of the sum.
      dim: deprecated name of `axis`.
    """
    axis = renamed("axis", axis, "dim", dim)
    with name_scope(name, "l2_normalize", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex:
            squares = gen_ops.square(real(x)) + gen_ops.square(imaginary(x))
            factor = gen_ops.rsqrt(gen_ops.maximum(reduce_sum(squares, axis, keepdims=True), epsilon))
            return complex(gen_ops.mul(real(x), factor), gen_ops.mul(imaginary(x), factor), name=scope)
        squares = reduce_sum(gen_ops.square(x), axis, keepdims=True)
        return gen_ops.mul(x, gen_ops.rsqrt(gen_ops.maximum(squares, epsilon)), name=scope)


@tf_export("nn.local_response_normalization", "nn.lrn")
@called_by_users
def local_response_normalization(
    input: Any,
    depth_radius: int = 5,
    bias: float = 1,
    alpha: float = 1,
    beta: float = 0.5,
    name: str | None = None,
) -> Tensor:
    """Computes `x / (bias + alpha * sum(x**2))**beta`, where the sum is over `depth_radius` channels on each side."""
    return gen_ops.lrn(input, depth_radius=depth_radius, bias=bias, alpha=alpha, beta=beta, name=name)


lrn = local_response_normalization
