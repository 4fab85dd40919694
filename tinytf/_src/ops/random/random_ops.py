"""Random tensors. The order of node creation matters: an op without a seed derives it from the number of nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.apply.random_seed import get_seed
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.dimension import Dimension
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.array.constant_tensors import zeros_like
from tinytf._src.ops.array.shape_ops import shape as shape_of
from tinytf._src.ops.control_flow.assertions import Assert
from tinytf._src.ops.control_flow.dependencies import with_dependencies
from tinytf._src.ops.math.reductions import reduce_all

_UNIFORM_TYPES = (
    dtypes.float16,
    dtypes.bfloat16,
    dtypes.float32,
    dtypes.float64,
    dtypes.int32,
    dtypes.int64,
)


def shape_tensor(shape: Any) -> Tensor:
    """Returns a shape argument as an integer vector named `shape`."""
    dtype = None
    if isinstance(shape, (list, tuple)):
        if not shape:
            dtype = dtypes.int32
        shape = tuple(extent.value if isinstance(extent, Dimension) else extent for extent in shape)
    elif isinstance(shape, TensorShape) and shape.ndims == 0:
        dtype = dtypes.int32
    return convert_to_tensor(shape, dtype=dtype, name="shape")


def _scaled(
    function: Any, default_name: str, shape: Any, mean: Any, stddev: Any, dtype: Any, seed: Any, name: str | None
) -> Tensor:
    with name_scope(name, default_name, [shape, mean, stddev]) as scope:
        shape = shape_tensor(shape)
        mean = convert_to_tensor(mean, dtype=dtype, name="mean")
        stddev = convert_to_tensor(stddev, dtype=dtype, name="stddev")
        seed1, seed2 = get_seed(seed)
        values = function(shape, dtype, seed=seed1, seed2=seed2)
        return gen_ops.add(values * stddev, mean, name=scope)


@tf_export("random.normal", "random_normal")
@called_by_users
def random_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Creates normally distributed numbers.

    Args:
      shape: integer vector or list of ints.
      mean: scalar or tensor that broadcasts to `shape`.
      stddev: scalar or tensor that broadcasts to `shape`, the standard deviation.
      dtype: floating-point dtype.
      seed: optional int.
      name: optional name of the operation.

    Returns:
      A tensor of the given shape and dtype.
    """
    return _scaled(gen_ops.random_standard_normal, "random_normal", shape, mean, stddev, dtype, seed, name)


@tf_export("random.truncated_normal", "truncated_normal")
@called_by_users
def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Creates normally distributed numbers within two standard deviations of the mean; others are redrawn.

    Args:
      shape, mean, stddev, dtype, seed, name: as in `random_normal`.

    Returns:
      A tensor of the given shape and dtype.
    """
    return _scaled(gen_ops.truncated_normal, "truncated_normal", shape, mean, stddev, dtype, seed, name)


@tf_export("random.uniform", "random_uniform")
@called_by_users
def random_uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Creates uniformly distributed numbers in [minval, maxval).

    Args:
      shape: integer vector or list of ints.
      minval: scalar or tensor that broadcasts to `shape`.
      maxval: scalar or tensor; defaults to 1 for floating-point dtypes and is required for integers.
      dtype: float16, bfloat16, float32, float64, int32 or int64.
      seed: optional int.
      name: optional name of the operation.

    Returns:
      A tensor of the given shape and dtype.

    Raises:
      ValueError: if `dtype` is not supported, or if `maxval` is missing for integers.
    """
    dtype = dtypes.as_dtype(dtype)
    if dtype not in _UNIFORM_TYPES:
        raise ValueError(f"Invalid dtype {dtype!r}")
    if maxval is None:
        if dtype.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
        maxval = 1
    with name_scope(name, "random_uniform", [shape, minval, maxval]) as scope:
        shape = shape_tensor(shape)
        minval = convert_to_tensor(minval, dtype=dtype, name="min")
        maxval = convert_to_tensor(maxval, dtype=dtype, name="max")
        seed1, seed2 = get_seed(seed)
        if dtype.is_integer:
            return gen_ops.random_uniform_int(shape, minval, maxval, seed=seed1, seed2=seed2, name=scope)
        values = gen_ops.random_uniform(shape, dtype, seed=seed1, seed2=seed2)
        return gen_ops.add(values * (maxval - minval), minval, name=scope)


@tf_export("random.shuffle", "random_shuffle")
@called_by_users
def random_shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """Shuffles the rows of a tensor, i.e. along its first dimension.

    Args:
      value: tensor.
      seed: optional int.
      name: optional name of the operation.

    Returns:
      A tensor like `value`.
    """
    seed1, seed2 = get_seed(seed)
    return gen_ops.random_shuffle(value, seed=seed1, seed2=seed2, name=name)


@tf_export("random_crop")
def random_crop(value: Any, size: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """Extracts a block from a random position; a block larger than `value` raises InvalidArgumentError at run time.

    Args:
      value: tensor.
      size: int32 vector, shape of the block.
      seed: optional int.
      name: optional name of the operation.

    Returns:
      A tensor of shape `size`.
    """
    with name_scope(name, "random_crop", [value, size]) as scope:
        value = convert_to_tensor(value, name="value")
        size = convert_to_tensor(size, dtype=dtypes.int32, name="size")
        shape = shape_of(value)
        check = Assert(reduce_all(shape >= size), ["Need value.shape >= size, got ", shape, size], summarize=1000)
        shape = with_dependencies([check], shape)
        limit = shape - size + 1
        anywhere = random_uniform(shape_of(shape), dtype=size.dtype, maxval=size.dtype.max, seed=seed)
        return gen_ops.slice(value, anywhere % limit, size, name=scope)


@tf_export("random.multinomial", "multinomial")
def multinomial(
    logits: Any, num_samples: Any, seed: int | None = None, name: str | None = None, output_dtype: Any = None
) -> Tensor:
    """Draws class indices from categorical distributions.

    Args:
      logits: tensor [batch, classes] of unnormalized log-probabilities.
      num_samples: integer scalar, number of draws per row.
      seed: optional int.
      name: optional name of the name scope.
      output_dtype: int32 or int64; defaults to int64.

    Returns:
      A tensor [batch, num_samples].
    """
    with name_scope(name, "multinomial", [logits]):
        return _categorical(logits, num_samples, output_dtype, seed)


@tf_export("random.categorical")
def categorical(
    logits: Any, num_samples: Any, dtype: Any = None, seed: int | None = None, name: str | None = None
) -> Tensor:
    """Draws class indices from categorical distributions, as `multinomial` does.

    Args:
      logits, num_samples, seed, name: as in `multinomial`.
      dtype: int32 or int64; defaults to int64.

    Returns:
      A tensor [batch, num_samples].
    """
    with name_scope(name, "categorical", [logits]):
        return _categorical(logits, num_samples, dtype, seed)


def _categorical(logits: Any, num_samples: Any, dtype: Any, seed: int | None) -> Tensor:
    logits = convert_to_tensor(logits, name="logits")
    seed1, seed2 = get_seed(seed)
    return gen_ops.multinomial(logits, num_samples, seed=seed1, seed2=seed2, output_dtype=dtype or dtypes.int64)


@tf_export("random.gamma", "random_gamma")
@called_by_users
def random_gamma(
    shape: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Draws numbers from gamma distributions.

    Args:
      shape: int32 vector, number of draws per distribution.
      alpha: tensor, shape parameters.
      beta: optional tensor that broadcasts with `alpha`, rates; defaults to 1.
      dtype: floating-point dtype.
      seed: optional int.
      name: optional name of the name scope.

    Returns:
      A tensor of shape `shape + (alpha + beta).shape`.
    """
    with name_scope(name, "random_gamma", [shape, alpha, beta]):
        shape = convert_to_tensor(shape, name="shape", dtype=dtypes.int32)
        alpha = convert_to_tensor(alpha, name="alpha", dtype=dtype)
        beta = convert_to_tensor(1 if beta is None else beta, name="beta", dtype=dtype)
        alpha = alpha + zeros_like(beta)
        seed1, seed2 = get_seed(seed)
        tiny = np.finfo(alpha.dtype.as_numpy_dtype).tiny
        return gen_ops.maximum(tiny, gen_ops.random_gamma(shape, alpha, seed=seed1, seed2=seed2) / beta)


@tf_export("random.poisson", "random_poisson")
def random_poisson(
    lam: Any, shape: Any, dtype: Any = dtypes.float32, seed: int | None = None, name: str | None = None
) -> Tensor:
    """Draws numbers from Poisson distributions.

    Args:
      lam: floating-point tensor, rates.
      shape: int32 vector, number of draws per distribution.
      dtype: dtype of the result.
      seed: optional int.
      name: optional name of the name scope.

    Returns:
      A tensor of shape `shape + lam.shape`.
    """
    with name_scope(name, "random_poisson", [lam, shape]):
        shape = convert_to_tensor(shape, name="shape", dtype=dtypes.int32)
        seed1, seed2 = get_seed(seed)
        return gen_ops.random_poisson_v2(shape, lam, dtype=dtype, seed=seed1, seed2=seed2)
