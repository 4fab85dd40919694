"""Initializers: callables that create the initial value of a variable from its shape and dtype."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import named, tf_export
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_like import is_tensor
from tinytf._src.ops import array_ops
from tinytf._src.ops.random import random_ops


def _float(dtype: Any) -> dtypes.DType:
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype


class Initializer:
    """Base class of initializers."""

    dtype: Any = dtypes.float32

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        """Creates an initial value.

        Args:
          shape: shape of the result.
          dtype: element type; None means the initializer's own.
          partition_info: PartitionInfo, if the result is a piece of a partitioned variable.

        Returns:
          Tensor of shape `shape`.
        """
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments as a dict, without `verify_shape`, as in TensorFlow."""
        own = {k: v for k, v in vars(self).items() if not k.startswith("_")}
        return {k: v.name if isinstance(v, dtypes.DType) else v for k, v in own.items()}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """Creates an initializer from the dict that `get_config` returned."""
        return cls(**config)


@tf_export("initializers.zeros", "zeros_initializer")
@named("Zeros")
class zeros_initializer(Initializer):
    """Initializer that creates zeros of type `dtype`, float32 by default."""

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return array_ops.zeros(shape, self.dtype if dtype is None else dtype)


@tf_export("initializers.ones", "ones_initializer")
@named("Ones")
class ones_initializer(Initializer):
    """Initializer that creates ones of type `dtype`, float32 by default."""

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return array_ops.ones(shape, self.dtype if dtype is None else dtype)


@tf_export("initializers.constant", "constant_initializer")
@named("Constant")
class constant_initializer(Initializer):
    """Initializer that creates constants.

    Args:
      value: scalar for all elements, or list or array with as many elements as the variable.
      dtype: element type, float32 by default.
      verify_shape: bool, whether the shape of `value` must equal the variable's.

    Raises:
      TypeError: if `value` has another type.
    """

    def __init__(self, value: Any = 0, dtype: Any = dtypes.float32, verify_shape: bool = False) -> None:
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(
                f"Invalid type for initial value: {type(value)} (expected Python scalar, list or tuple of values, or "
                "numpy.ndarray)."
            )
        self.value = value
        self.dtype = dtypes.as_dtype(dtype)
        self._verify_shape = verify_shape

    def __call__(
        self, shape: Any, dtype: Any = None, partition_info: Any = None, verify_shape: bool | None = None
    ) -> Any:
        verify = self._verify_shape if verify_shape is None else verify_shape
        dtype = self.dtype if dtype is None else dtype
        if np.isscalar(self.value) and any(map(is_tensor, shape if isinstance(shape, (list, tuple)) else [shape])):
            return array_ops.fill(shape, array_ops.constant(self.value, dtype))
        return array_ops.constant(self.value, dtype=dtype, shape=shape, verify_shape=verify)


@tf_export("initializers.random_uniform", "random_uniform_initializer")
@named("RandomUniform")
class random_uniform_initializer(Initializer):
    """Initializer that draws from the uniform distribution on [minval, maxval).

    Args:
      minval: lower bound.
      maxval: upper bound; None means 1 for floating-point types, and is an error for integer types.
      seed: int, op-level seed.
      dtype: element type, float32 by default.
    """

    def __init__(
        self, minval: Any = 0, maxval: Any = None, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        self.minval = minval
        self.maxval = maxval
        self.seed = seed
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return random_ops.random_uniform(
            shape, self.minval, self.maxval, self.dtype if dtype is None else dtype, seed=self.seed
        )


@tf_export("initializers.random_normal", "random_normal_initializer")
@named("RandomNormal")
class random_normal_initializer(Initializer):
    """Initializer that draws from a normal distribution.

    Args:
      mean: mean of the distribution.
      stddev: standard deviation of the distribution.
      seed: int, op-level seed.
      dtype: floating-point type, float32 by default; ValueError for other types.
    """

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 1.0, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        self.mean = mean
        self.stddev = stddev
        self.seed = seed
        self.dtype = _float(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return random_ops.random_normal(
            shape, self.mean, self.stddev, self.dtype if dtype is None else dtype, seed=self.seed
        )


@tf_export("initializers.truncated_normal", "truncated_normal_initializer")
@named("TruncatedNormal")
class truncated_normal_initializer(Initializer):
    """Initializer that draws from a normal distribution truncated at two standard deviations from the mean.

    Args:
      mean: mean of the distribution before truncation.
      stddev: standard deviation of the distribution before truncation.
      seed: int, op-level seed.
      dtype: floating-point type, float32 by default; ValueError for other types.
    """

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 1.0, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        self.mean = mean
        self.stddev = stddev
        self.seed = seed
        self.dtype = _float(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return random_ops.truncated_normal(
            shape, self.mean, self.stddev, self.dtype if dtype is None else dtype, seed=self.seed
        )


@tf_export("initializers.uniform_unit_scaling", "uniform_unit_scaling_initializer")
@named("UniformUnitScaling")
class uniform_unit_scaling_initializer(Initializer):
    """Initializer that draws from the uniform distribution on ±sqrt(3 / n) * factor, which keeps the scale of inputs.

    n is the input size, the product of all dimensions but the last.

    Args:
      factor: float, scale of the values.
      seed: int, op-level seed.
      dtype: floating-point type, float32 by default; ValueError for other types.
    """

    def __init__(self, factor: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        self.factor = factor
        self.seed = seed
        self.dtype = _float(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        full = shape if partition_info is None else partition_info.full_shape
        size = max(float(np.prod([float(d) for d in full[:-1]])) if len(full) > 1 else 1.0, 1.0)
        limit = math.sqrt(3 / size) * self.factor
        return random_ops.random_uniform(shape, -limit, limit, self.dtype if dtype is None else dtype, seed=self.seed)


def compute_fans(shape: Any) -> tuple[float, float]:
    """The numbers of inputs and outputs per unit of a weight tensor of shape [in, out] or [..., in, out]
    (convolution)."""
    shape = [int(d) for d in shape]
    if not shape:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    receptive = int(np.prod(shape[:-2])) if len(shape) > 2 else 1
    return shape[-2] * receptive, shape[-1] * receptive


@tf_export("initializers.variance_scaling", "variance_scaling_initializer")
@named("VarianceScaling")
class variance_scaling_initializer(Initializer):
    """Initializer that draws random values with mean 0 and variance scale / n.

    Args:
      scale: float, positive.
      mode: str that defines n: "fan_in" (inputs per unit), "fan_out" (outputs per unit) or "fan_avg" (their mean).
      distribution: "truncated_normal" (or "normal"), "untruncated_normal" or "uniform".
      seed: int, op-level seed.
      dtype: floating-point type, float32 by default.

    Raises:
      ValueError: for an argument with another value.
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
        dtype: Any = dtypes.float32,
    ) -> None:
        if scale <= 0.0:
            raise ValueError("`scale` must be positive float.")
        if mode not in {"fan_in", "fan_out", "fan_avg"}:
            raise ValueError("Invalid `mode` argument:", mode)
        distribution = distribution.lower()
        if distribution not in {"normal", "uniform", "truncated_normal", "untruncated_normal"}:
            raise ValueError("Invalid `distribution` argument:", distribution)
        self.scale = scale
        self.mode = mode
        self.distribution = distribution
        self.seed = seed
        self.dtype = _float(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        dtype = self.dtype if dtype is None else dtype
        fan_in, fan_out = compute_fans(shape if partition_info is None else partition_info.full_shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[self.mode]
        scale = self.scale / max(1.0, fan)
        if self.distribution in ("normal", "truncated_normal"):
            # The standard deviation of a unit normal distribution truncated at ±2.
            stddev = math.sqrt(scale) / 0.87962566103423978
            return random_ops.truncated_normal(shape, 0.0, stddev, dtype, seed=self.seed)
        if self.distribution == "untruncated_normal":
            return random_ops.random_normal(shape, 0.0, math.sqrt(scale), dtype, seed=self.seed)
        limit = math.sqrt(3.0 * scale)
        return random_ops.random_uniform(shape, -limit, limit, dtype, seed=self.seed)


@tf_export("initializers.glorot_uniform", "glorot_uniform_initializer")
@named("GlorotUniform")
class glorot_uniform_initializer(variance_scaling_initializer):
    """Initializer that draws from the uniform distribution on ±sqrt(6 / (inputs + outputs)) of a unit.

    `dtype` is ignored, as in TensorFlow; pass it when calling the initializer. `seed` is the op-level seed.
    """

    def __init__(self, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(scale=1.0, mode="fan_avg", distribution="uniform", seed=seed)

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments as a dict."""
        return {"seed": self.seed, "dtype": self.dtype.name}


@tf_export("initializers.glorot_normal", "glorot_normal_initializer")
@named("GlorotNormal")
class glorot_normal_initializer(variance_scaling_initializer):
    """Initializer that draws from a truncated normal distribution with standard deviation sqrt(2 / (inputs + outputs)).

    `dtype` is ignored, as in TensorFlow; pass it when calling the initializer. `seed` is the op-level seed.
    """

    def __init__(self, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(scale=1.0, mode="fan_avg", distribution="truncated_normal", seed=seed)

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments as a dict."""
        return {"seed": self.seed, "dtype": self.dtype.name}


@tf_export("initializers.lecun_normal")
def lecun_normal_initializer(seed: int | None = None) -> Initializer:
    """Initializer that draws from a truncated normal distribution with standard deviation sqrt(1 / inputs).

    Args:
      seed: int, op-level seed.
    """
    return variance_scaling_initializer(1.0, "fan_in", "truncated_normal", seed)


@tf_export("initializers.lecun_uniform")
def lecun_uniform_initializer(seed: int | None = None) -> Initializer:
    """Initializer that draws from the uniform distribution on ±sqrt(3 / inputs).

    Args:
      seed: int, op-level seed.
    """
    return variance_scaling_initializer(1.0, "fan_in", "uniform", seed)


@tf_export("initializers.he_normal")
def he_normal_initializer(seed: int | None = None) -> Initializer:
    """Initializer that draws from a truncated normal distribution with standard deviation sqrt(2 / inputs).

    Args:
      seed: int, op-level seed.
    """
    return variance_scaling_initializer(2.0, "fan_in", "truncated_normal", seed)


@tf_export("initializers.he_uniform")
def he_uniform_initializer(seed: int | None = None) -> Initializer:
    """Initializer that draws from the uniform distribution on ±sqrt(6 / inputs).

    Args:
      seed: int, op-level seed.
    """
    return variance_scaling_initializer(2.0, "fan_in", "uniform", seed)


@tf_export("initializers.orthogonal", "orthogonal_initializer")
@named("Orthogonal")
class orthogonal_initializer(Initializer):
    """Initializer that creates a random matrix with orthonormal rows or columns, reshaped to the variable's shape.

    All dimensions but the last are the rows. Calling it raises ValueError for fewer than two dimensions.

    Args:
      gain: float, factor of the matrix.
      seed: int, op-level seed.
      dtype: floating-point type, float32 by default; ValueError for other types.
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        self.gain = gain
        self.seed = seed
        self.dtype = _float(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        if len(shape) < 2:
            raise ValueError("The tensor to initialize must be at least two-dimensional")
        dtype = self.dtype if dtype is None else dtypes.as_dtype(dtype)
        rows, columns = int(np.prod([int(d) for d in shape[:-1]])), int(shape[-1])
        flat = (max(rows, columns), min(rows, columns))
        normal = random_ops.random_normal(flat, dtype=dtype, seed=self.seed)
        q, r = gen_ops.qr(normal, full_matrices=False)
        # Multiplication by the signs of R's diagonal makes the distribution uniform.
        q = q * gen_ops.sign(gen_ops.diag_part(r))
        if rows < columns:
            q = array_ops.matrix_transpose(q)
        return self.gain * array_ops.reshape(q, shape)


@tf_export("initializers.identity")
@named("Identity")
class identity_initializer(Initializer):
    """Initializer that creates an identity matrix. Calling it raises ValueError unless the shape has two dimensions.

    Args:
      gain: float, factor of the matrix.
      dtype: floating-point type, float32 by default; ValueError for other types.
    """

    def __init__(self, gain: float = 1.0, dtype: Any = dtypes.float32) -> None:
        self.gain = gain
        self.dtype = _float(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        full = shape if partition_info is None else partition_info.full_shape
        if len(full) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        dtype = self.dtype if dtype is None else dtype
        whole = array_ops.eye(int(full[0]), int(full[1]), dtype=dtype)
        if partition_info is not None:
            whole = array_ops.slice(whole, partition_info.var_offset, shape)
        return self.gain * whole


zeros = zeros_initializer
ones = ones_initializer
constant = constant_initializer
random_uniform = random_uniform_initializer
random_normal = random_normal_initializer
truncated_normal = truncated_normal_initializer
uniform_unit_scaling = uniform_unit_scaling_initializer
variance_scaling = variance_scaling_initializer
glorot_uniform = glorot_uniform_initializer
glorot_normal = glorot_normal_initializer
orthogonal = orthogonal_initializer
identity = identity_initializer
lecun_normal = lecun_normal_initializer
lecun_uniform = lecun_uniform_initializer
he_normal = he_normal_initializer
he_uniform = he_uniform_initializer
