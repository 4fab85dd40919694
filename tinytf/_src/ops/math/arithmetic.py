"""Elementwise arithmetic that needs more than one generated op."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.errors.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_n_to_tensor_or_indexed_slices, convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape
from tinytf._src.ops.array.constant_tensors import zeros_like
from tinytf._src.ops.array.placeholders import identity
from tinytf._src.ops.math.casting import cast

__all__ = [
    "abs",
    "accumulate_n",
    "add_n",
    "angle",
    "complex",
    "conj",
    "div",
    "div_no_nan",
    "divide",
    "equal",
    "floor_div",
    "floordiv",
    "imag",
    "log_sigmoid",
    "logical_xor",
    "multiply_no_nan",
    "not_equal",
    "polyval",
    "pow",
    "real",
    "round",
    "scalar_mul",
    "sigmoid",
    "truediv",
]

# The dtypes that "/" casts to before dividing; None means no cast. Other dtypes are not divided.
_TRUEDIV_TYPES = {
    dtypes.uint8: dtypes.float32,
    dtypes.int8: dtypes.float32,
    dtypes.uint16: dtypes.float32,
    dtypes.int16: dtypes.float32,
    dtypes.int32: dtypes.float64,
    dtypes.int64: dtypes.float64,
    dtypes.bfloat16: None,
    dtypes.float16: None,
    dtypes.float32: None,
    dtypes.float64: None,
    dtypes.complex64: None,
    dtypes.complex128: None,
}


@tf_export("math.abs", "abs")
def abs(x: Any, name: str | None = None) -> Any:
    """Computes absolute values of a real or complex tensor or SparseTensor; complex64 yields float32."""
    with name_scope(name, "Abs", [x]) as scope:
        if isinstance(x, SparseTensor):
            return SparseTensor(x.indices, abs(x.values, scope), x.dense_shape)
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex:
            return gen_ops.complex_abs(x, Tout=x.dtype.real_dtype, name=scope)
        return gen_ops.abs(x, name=scope)


@tf_export("math.truediv", "truediv")
def truediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Computes `x / y`; (u)int8 and (u)int16 are divided as float32, int32 and int64 as float64.

    Raises TypeError if the dtypes differ or cannot be divided.
    """
    with name_scope(name, "truediv", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y")
        return gen_ops.real_div(*as_quotient_types(x, y), name=scope)


def as_quotient_types(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Casts both to the dtype in which `/` divides them. Raises TypeError if the dtypes differ or cannot be divided."""
    x_type, y_type = x.dtype.base_dtype, y.dtype.base_dtype
    if x_type is not y_type:
        raise TypeError(f"x and y must have the same dtype, got {x_type!r} != {y_type!r}")
    if x_type not in _TRUEDIV_TYPES:
        raise TypeError(f"Invalid dtype {x_type!r} in __truediv__")
    dtype = _TRUEDIV_TYPES[x_type]
    return (x, y) if dtype is None else (cast(x, dtype), cast(y, dtype))


@tf_export("div")
def div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Computes `x / y` as Python 2 does: integer quotients are floored. Raises TypeError if the dtypes differ."""
    with name_scope(name, "div", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        x_type, y_type = x.dtype.base_dtype, y.dtype.base_dtype
        if x_type is not y_type:
            raise TypeError(f"x and y must have the same dtype, got {x_type!r} != {y_type!r}")
        if x_type.is_floating or x_type.is_complex:
            return gen_ops.real_div(x, y, name=scope)
        return gen_ops.floor_div(x, y, name=scope)


@tf_export("math.divide", "divide")
def divide(x: Any, y: Any, name: str | None = None) -> Any:
    """Computes `x / y` by Python's operator, so that two Python numbers yield a Python number."""
    try:
        return x / y if name is None else truediv(x, y, name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.floordiv", "floordiv")
def floordiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Computes `x / y` rounded towards minus infinity, for two tensors of one dtype."""
    with name_scope(name, "floordiv", [x, y]) as scope:
        return gen_ops.floor_div(x, y, name=scope)


@tf_export("floor_div")
def floor_div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Computes `x // y` for two tensors of one dtype."""
    try:
        return gen_ops.floor_div(x, y, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.divide_no_nan", "div_no_nan")
def div_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Computes `x / y`, with 0 where `y` is 0."""
    with name_scope(name, "div_no_nan", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        return gen_ops.div_no_nan(x, y, name=scope)


@tf_export("math.multiply_no_nan")
def multiply_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Computes `x * y`, with 0 where `y` is 0 even if `x` is infinite or NaN. Raises TypeError if the dtypes differ."""
    with name_scope(name, "multiply_no_nan", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        return gen_ops.mul_no_nan(x, y, name=scope)


@tf_export("math.pow", "pow")
def pow(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Computes `x` to the power of `y` elementwise, for two tensors of one dtype."""
    with name_scope(name, "Pow", [x]) as scope:
        return gen_ops.pow(x, y, name=scope)


@tf_export("math.scalar_mul", "scalar_mul")
@called_by_users
def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """Multiplies a tensor or IndexedSlices by a scalar. Raises ValueError if `scalar` is not a scalar."""
    scalar = convert_to_tensor(scalar, dtype=x.dtype.base_dtype, name="scalar")
    if scalar.shape.ndims != 0:
        raise ValueError(f"Only scalar multiply works, got shape {scalar.shape}")
    if isinstance(x, IndexedSlices):
        return IndexedSlices(gen_ops.mul(scalar, x.values, name=name), x.indices, x.dense_shape)
    return gen_ops.mul(scalar, x, name=name)


@tf_export("math.round", "round")
def round(x: Any, name: str | None = None) -> Tensor:
    """Rounds to the nearest integer, and halves to the even one; integer tensors are returned unchanged."""
    try:
        x = convert_to_tensor(x, name="x")
        return x if x.dtype.is_integer else gen_ops.round(x, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("dtypes.complex", "complex")
def complex(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """Combines real and imaginary parts. Raises TypeError unless both are float32 or both are float64."""
    try:
        real = convert_to_tensor(real, name="real")
        imag = convert_to_tensor(imag, name="imag")
        with name_scope(name, "Complex", [real, imag]) as scope:
            types = real.dtype.base_dtype, imag.dtype.base_dtype
            if types == (dtypes.float64, dtypes.float64):
                out = dtypes.complex128
            elif types == (dtypes.float32, dtypes.float32):
                out = dtypes.complex64
            else:
                raise TypeError(f"real and imag have incorrect types: {types[0].name} {types[1].name}")
            return gen_ops.complex(real, imag, Tout=out, name=scope)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.real", "real")
def real(input: Any, name: str | None = None) -> Tensor:
    """Returns the real part; a real tensor is returned unchanged."""
    with name_scope(name, "Real", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        if not input.dtype.is_complex:
            return input
        return gen_ops.real(input, Tout=input.dtype.real_dtype, name=scope)


@tf_export("math.imag", "imag")
def imag(input: Any, name: str | None = None) -> Tensor:
    """Returns the imaginary part, which is 0 for real tensors."""
    with name_scope(name, "Imag", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        if input.dtype.is_complex:
            return gen_ops.imag(input, Tout=input.dtype.real_dtype, name=scope)
        return zeros_like(input)


@tf_export("math.angle", "angle")
def angle(input: Any, name: str | None = None) -> Tensor:
    """Returns the argument of complex numbers in (-pi, pi], and 0 for real tensors."""
    with name_scope(name, "Angle", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        if input.dtype.is_complex:
            return gen_ops.angle(input, Tout=input.dtype.real_dtype, name=scope)
        return zeros_like(input)


@tf_export("math.conj", "conj")
def conj(x: Any, name: str | None = None) -> Tensor:
    """Returns the complex conjugate; a real tensor is returned unchanged. Raises TypeError if the tensor is not
    numeric.
    """
    if isinstance(x, Tensor) and (x.dtype.is_floating or x.dtype.is_integer):
        return x
    with name_scope(name, "Conj", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex or x.dtype is dtypes.variant:
            return gen_ops.conj(x, name=scope)
        if x.dtype.is_floating or x.dtype.is_integer:
            return x
        raise TypeError(f"Expected numeric or variant tensor, got dtype {x.dtype!r}")


@tf_export("math.logical_xor", "logical_xor")
@called_by_users
def logical_xor(x: Any, y: Any, name: str = "LogicalXor") -> Tensor:
    """Computes the exclusive or of two bool tensors elementwise."""
    either = gen_ops.logical_or(x, y)
    return gen_ops.logical_and(either, gen_ops.logical_not(gen_ops.logical_and(x, y)), name=name)


@tf_export("math.sigmoid", "nn.sigmoid", "sigmoid")
def sigmoid(x: Any, name: str | None = None) -> Tensor:
    """Computes `1 / (1 + exp(-x))` elementwise."""
    with name_scope(name, "Sigmoid", [x]) as scope:
        return gen_ops.sigmoid(convert_to_tensor(x, name="x"), name=scope)


@tf_export("math.log_sigmoid", "log_sigmoid")
def log_sigmoid(x: Any, name: str | None = None) -> Tensor:
    """Computes `log(sigmoid(x))` elementwise, as `-softplus(-x)`."""
    with name_scope(name, "LogSigmoid", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return gen_ops.neg(gen_ops.softplus(-x), name=scope)


@tf_export("math.polyval")
@called_by_users
def polyval(coeffs: Any, x: Any, name: str | None = None) -> Tensor:
    """Evaluates `coeffs[0] * x**(n-1) + … + coeffs[n-1]` by Horner's rule; the value is 0 if `coeffs` is empty."""
    with name_scope(name, "polyval"):
        x = convert_to_tensor(x, name="x")
        if len(coeffs) < 1:
            return zeros_like(x, name=name)
        coeffs = [convert_to_tensor(c, name=f"coeff_{i}") for i, c in enumerate(coeffs)]
        value = coeffs[0]
        for coefficient in coeffs[1:]:
            value = coefficient + value * x
        return value


@tf_export("math.add_n", "add_n")
def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """Adds tensors or IndexedSlices of one shape and dtype. Raises ValueError if `inputs` is empty or not a list."""
    try:
        error = "inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape"
        if inputs is not None and not isinstance(inputs, (list, tuple)):
            for _ in inputs:
                break
        if not isinstance(inputs, (list, tuple)) or not inputs:
            raise ValueError(error)
        inputs = convert_n_to_tensor_or_indexed_slices(inputs)
        if not all(isinstance(x, (Tensor, IndexedSlices)) for x in inputs):
            raise ValueError(error)
        if len(inputs) == 1:
            value = convert_to_tensor(inputs[0])
            return identity(value, name=name) if name else value
        return gen_ops.add_n(inputs, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.accumulate_n", "accumulate_n")
@called_by_users
def accumulate_n(inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None) -> Tensor:
    """Does the same as `add_n` for tensors, but may start to add before all of them are computed.

    Raises ValueError if there are no inputs or shapes or dtypes differ, and TypeError if the dtype is not
    `tensor_dtype`.
    """
    error = "inputs must be a list of at least one Tensor with the same dtype and shape"
    if not inputs or not isinstance(inputs, (list, tuple)):
        raise ValueError(error)
    inputs = convert_n_to_tensor_or_indexed_slices(inputs)
    if not all(isinstance(x, Tensor) and x.dtype is inputs[0].dtype for x in inputs):
        raise ValueError(error)
    merged = TensorShape(None) if shape is None else as_shape(shape)
    for x in inputs:
        merged = merged.merge_with(x.shape)
    if tensor_dtype is not None and tensor_dtype != inputs[0].dtype:
        raise TypeError(f"tensor_dtype is {tensor_dtype}, but input is of type {inputs[0].dtype}")
    if len(inputs) == 1:
        return inputs[0] if name is None else identity(inputs[0], name=name)
    return gen_ops.accumulate_nv2(inputs, shape=merged, name=name)


def constant_like(value: float, tensor: Tensor) -> Tensor:
    """Returns a scalar constant of the tensor's dtype."""
    return constant(value, dtype=tensor.dtype.base_dtype)


@tf_export("math.equal", "equal")
def equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Computes `x == y` elementwise with broadcasting, as a bool tensor."""
    try:
        return gen_ops.equal(x, y, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.not_equal", "not_equal")
def not_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Computes `x != y` elementwise with broadcasting, as a bool tensor."""
    try:
        return gen_ops.not_equal(x, y, name=name)
    except REPORTED:
        leave_to_user()
        raise
