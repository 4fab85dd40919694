"""Conversion between dtypes."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.errors.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes

__all__ = [
    "cast",
    "saturate_cast",
    "to_bfloat16",
    "to_complex128",
    "to_complex64",
    "to_double",
    "to_float",
    "to_int32",
    "to_int64",
]


@tf_export("dtypes.cast", "cast")
def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """Converts the elements of a tensor to another dtype.

    Args:
      x: tensor, SparseTensor or IndexedSlices.
      dtype: dtype of the result.
      name: optional name of the operation.

    Returns:
      An object of the same kind with elements of `dtype`; `x` itself if it has that dtype already.
    """
    try:
        base = dtypes.as_dtype(dtype).base_dtype
        if base is getattr(x, "dtype", None) and (isinstance(x, Tensor) or hasattr(x, "handle")):
            return x  # A resource variable is returned unread, too.
        with name_scope(name, "Cast", [x]) as scope:
            if isinstance(x, SparseTensor):
                return SparseTensor(x.indices, cast(x.values, base, name=scope), x.dense_shape)
            if isinstance(x, IndexedSlices):
                return IndexedSlices(cast(x.values, base, name=scope), x.indices, x.dense_shape)
            x = convert_to_tensor(x, name="x")
            return x if x.dtype.base_dtype is base else gen_ops.cast(x, base, name=scope)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("dtypes.saturate_cast", "saturate_cast")
def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Tensor:
    """Converts the elements of a tensor to another dtype; values out of its range become its limits.

    Args:
      value: tensor.
      dtype: dtype of the result.
      name: optional name of the operation.

    Returns:
      A tensor of `dtype`.
    """
    with name_scope(name, "saturate_cast", [value]) as scope:
        value = convert_to_tensor(value, name="value")
        dtype = dtypes.as_dtype(dtype).base_dtype
        if value.dtype.min < dtype.min:
            value = gen_ops.maximum(value, convert_to_tensor(dtype.min, dtype=value.dtype, name="min"))
        if value.dtype.max > dtype.max:
            value = gen_ops.minimum(value, convert_to_tensor(dtype.max, dtype=value.dtype, name="max"))
        return cast(value, dtype, name=scope)


@tf_export("to_float")
@called_by_users
def to_float(x: Any, name: str = "ToFloat") -> Any:
    """Casts to float32; deprecated, use `tf.cast`."""
    return cast(x, dtypes.float32, name=name)


@tf_export("to_double")
@called_by_users
def to_double(x: Any, name: str = "ToDouble") -> Any:
    """Casts to float64; deprecated, use `tf.cast`."""
    return cast(x, dtypes.float64, name=name)


@tf_export("to_int32")
@called_by_users
def to_int32(x: Any, name: str = "ToInt32") -> Any:
    """Casts to int32; deprecated, use `tf.cast`."""
    return cast(x, dtypes.int32, name=name)


@tf_export("to_int64")
@called_by_users
def to_int64(x: Any, name: str = "ToInt64") -> Any:
    """Casts to int64; deprecated, use `tf.cast`."""
    return cast(x, dtypes.int64, name=name)


@tf_export("to_bfloat16")
@called_by_users
def to_bfloat16(x: Any, name: str = "ToBFloat16") -> Any:
    """Casts to bfloat16; deprecated, use `tf.cast`."""
    return cast(x, dtypes.bfloat16, name=name)


@tf_export("to_complex64")
@called_by_users
def to_complex64(x: Any, name: str = "ToComplex64") -> Any:
    """Casts to complex64; deprecated, use `tf.cast`."""
    return cast(x, dtypes.complex64, name=name)


@tf_export("to_complex128")
@called_by_users
def to_complex128(x: Any, name: str = "ToComplex128") -> Any:
    """Casts to complex128; deprecated, use `tf.cast`."""
    return cast(x, dtypes.complex128, name=name)
