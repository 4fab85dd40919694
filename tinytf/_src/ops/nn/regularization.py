"""Dropout and the sparsity of activations."""

from __future__ import annotations

import numbers
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape
from tinytf._src.ops.arguments import renamed
from tinytf._src.ops.array.constant_tensors import zeros
from tinytf._src.ops.array.shape_ops import shape, size
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.reductions import reduce_sum
from tinytf._src.ops.random.random_ops import random_uniform


@tf_export("nn.dropout")
@called_by_users
def dropout(
    x: Any,
    keep_prob: Any = None,
    noise_shape: Any = None,
    seed: int | None = None,
    name: str | None = None,
    rate: Any = None,
) -> Tensor:
    """Sets random elements of a tensor to 0 and divides the others by `1 - rate`.

    Args:
      x: floating-point tensor.
      keep_prob: deprecated; `1 - rate`.
      noise_shape: optional shape of the random mask, which broadcasts to `x`; None, or None for a dimension, means the
        size of `x`.
      seed: optional int.
      name: optional name of the name scope.
      rate: float in [0, 1) or scalar tensor, the probability of 0.

    Returns:
      A tensor like `x`.

    Raises:
      ValueError: if `x` is not floating point, if `rate` is not in [0, 1), or if not exactly one of `rate` and
        `keep_prob` is given.

    Example:
      hidden = tf.nn.dropout(hidden, rate=0.2)
    """
    try:
        old_rate = None if keep_prob is None else 1.0 - keep_prob
    except TypeError:
        raise ValueError(f"keep_prob must be a floating point number or Tensor (got {keep_prob!r})") from None
    rate = renamed("rate", rate, "keep_prob", old_rate)
    if rate is None:
        raise ValueError("You must provide a rate to dropout.")
    with name_scope(name, "dropout", [x]):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_floating:
            raise ValueError(
                f"x has to be a floating point tensor since it's going to be scaled. Got a {x.dtype} tensor instead."
            )
        if isinstance(rate, numbers.Real):
            if not 0 <= float(rate) < 1:
                raise ValueError(f"rate must be a scalar tensor or a float in the range [0, 1), got {rate:g}")
            if rate == 0:
                return x
        rate = convert_to_tensor(rate, dtype=x.dtype, name="rate")
        rate.shape.assert_has_rank(0)
        if constant_value(rate) == 0:
            return x
        random = random_uniform(_noise_shape(x, noise_shape), seed=seed, dtype=x.dtype)
        scale = 1 / (1 - rate)
        kept = random >= rate
        result = x * scale * cast(kept, x.dtype)
        result.set_shape(x.shape)
        return result


def _noise_shape(x: Tensor, noise_shape: Any) -> Any:
    if noise_shape is None:
        return shape(x)
    try:
        wanted = as_shape(noise_shape)
    except (TypeError, ValueError):
        return noise_shape
    if x.shape.ndims is None or wanted.ndims != x.shape.ndims:
        return noise_shape
    pairs = zip(wanted.as_list(), x.shape.as_list(), strict=True)
    return TensorShape([own if given is None else given for given, own in pairs])


@tf_export("math.zero_fraction", "nn.zero_fraction")
def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """Computes the fraction of elements that are 0.

    Args:
      value: numeric tensor.
      name: optional name of the name scope.

    Returns:
      A float32 scalar; NaN if there are no elements.
    """
    with name_scope(name, "zero_fraction", [value]):
        value = convert_to_tensor(value, name="value")
        count = size(value, out_type=dtypes.int64)
        nonzero = cond(  # Counting in int32 is cheaper; it is used where it cannot overflow.
            count <= dtypes.int32.max,
            true_fn=lambda: cast(_count_nonzero(value, dtypes.int32), dtypes.int64),
            false_fn=lambda: _count_nonzero(value, dtypes.int64),
        )
        with name_scope("counts_to_fraction"):
            zero = cast(count - nonzero, dtypes.float32)
            fraction = zero / cast(count, dtypes.float32)
        return gen_ops.identity(fraction, name="fraction")


def _count_nonzero(tensor: Tensor, dtype: Any) -> Tensor:
    with name_scope("count_nonzero", values=[tensor]):
        zero = zeros([], dtype=tensor.dtype)
        return reduce_sum(cast(gen_ops.not_equal(tensor, zero), dtype), name="nonzero_count")
