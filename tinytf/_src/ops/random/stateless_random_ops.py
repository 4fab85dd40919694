"""Random tensors that depend only on their arguments, including a seed of two integers."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.random.random_ops import shape_tensor


@tf_export("random.stateless_uniform")
@called_by_users
def stateless_random_uniform(
    shape: Any, seed: Any, minval: Any = 0, maxval: Any = None, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """Creates uniformly distributed numbers in [minval, maxval) that are always the same for the same arguments.

    Args:
      seed: integer vector [2].
      shape, minval, maxval, dtype, name: as in `random_uniform`.

    Returns:
      A tensor of the given shape and dtype.

    Raises:
      ValueError: if `dtype` is not supported, or if `maxval` is missing for integers.
    """
    dtype = dtypes.as_dtype(dtype)
    if dtype not in (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64):
        raise ValueError(f"Invalid dtype {dtype!r}")
    if maxval is None:
        if dtype.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
        maxval = 1
    with name_scope(name, "stateless_random_uniform", [shape, seed, minval, maxval]) as scope:
        shape = shape_tensor(shape)
        minval = convert_to_tensor(minval, dtype=dtype, name="min")
        maxval = convert_to_tensor(maxval, dtype=dtype, name="max")
        if dtype.is_integer:
            return gen_ops.stateless_random_uniform_int(shape, seed, minval, maxval, name=scope)
        values = gen_ops.stateless_random_uniform(shape, seed, dtype=dtype)
        return gen_ops.add(values * (maxval - minval), minval, name=scope)


def _scaled(
    function: Any, default_name: str, shape: Any, seed: Any, mean: Any, stddev: Any, dtype: Any, name: str | None
) -> Tensor:
    with name_scope(name, default_name, [shape, seed, mean, stddev]) as scope:
        shape = shape_tensor(shape)
        mean = convert_to_tensor(mean, dtype=dtype, name="mean")
        stddev = convert_to_tensor(stddev, dtype=dtype, name="stddev")
        values = function(shape, seed, dtype=dtype)
        return gen_ops.add(values * stddev, mean, name=scope)


@tf_export("random.stateless_normal")
@called_by_users
def stateless_random_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """Creates normally distributed numbers that are always the same for the same arguments.

    Args:
      seed: integer vector [2].
      shape, mean, stddev, dtype, name: as in `random_normal`.

    Returns:
      A tensor of the given shape and dtype.
    """
    return _scaled(gen_ops.stateless_random_normal, "stateless_random_normal", shape, seed, mean, stddev, dtype, name)


@tf_export("random.stateless_truncated_normal")
@called_by_users
def stateless_truncated_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """Creates truncated normally distributed numbers that are always the same for the same arguments.

    Args:
      seed: integer vector [2].
      shape, mean, stddev, dtype, name: as in `truncated_normal`.

    Returns:
      A tensor of the given shape and dtype.
    """
    function = gen_ops.stateless_truncated_normal
    return _scaled(function, "stateless_truncated_normal", shape, seed, mean, stddev, dtype, name)


@tf_export("random.stateless_multinomial")
def stateless_multinomial(
    logits: Any, num_samples: Any, seed: Any, output_dtype: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """Draws class indices that are always the same for the same arguments.

    Args:
      seed: integer vector [2].
      logits, num_samples, output_dtype, name: as in `multinomial`.

    Returns:
      A tensor [batch, num_samples].
    """
    with name_scope(name, "stateless_multinomial", [logits, seed]):
        logits = convert_to_tensor(logits, name="logits")
        return gen_ops.stateless_multinomial(logits, num_samples, seed, output_dtype=output_dtype)


@tf_export("random.stateless_categorical")
def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """Draws class indices that are always the same for the same arguments, as `stateless_multinomial` does.

    Args:
      logits, num_samples, seed, name: as in `stateless_multinomial`.
      dtype: int32 or int64.

    Returns:
      A tensor [batch, num_samples].
    """
    with name_scope(name, "stateless_categorical", [logits, seed]):
        logits = convert_to_tensor(logits, name="logits")
        return gen_ops.stateless_multinomial(logits, num_samples, seed, output_dtype=dtype)
