"""Conversion of values to `TensorProto` messages and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf import _core
from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.values import constant_conversion, dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape


@tf_export("make_tensor_proto")
@called_by_users
def make_tensor_proto(
    values: Any, dtype: Any = None, shape: Any = None, verify_shape: bool = False, allow_broadcast: bool = False
) -> Any:
    """Creates a `TensorProto` from a value, by the rules of `tf.constant`.

    Args:
      values: Python value, numpy array, or `TensorProto`, which is returned unchanged.
      dtype: element type; None infers it.
      shape: sequence of ints; None means the shape of `values`. Missing elements are not stored: readers repeat the
        last one.
      verify_shape: bool, whether the shape of `values` must equal `shape`.
      allow_broadcast: bool, whether only a single element may be repeated.

    Returns:
      `TensorProto`.

    Raises:
      TypeError: if `values` does not fit `dtype`, or its shape does not fit.
      ValueError: if there are too many elements, if both flags are set, or if the message would reach 2 GiB.
    """
    if allow_broadcast and verify_shape:
        raise ValueError("allow_broadcast and verify_shape are not both allowed.")
    if is_tensor_proto(values):
        return values
    array = constant_conversion.convert(values, dtype, shape)
    extents = list(array.shape)
    if shape is not None:
        extents = constant_conversion.check_shape(array, shape, verify_shape, allow_broadcast)
    return ndarray_to_proto(array, extents)


def ndarray_to_proto(array: np.ndarray, shape: Any = None) -> Any:
    """The `TensorProto` of an array, with the shape `shape` if given. Raises ValueError for 2 GiB or more."""
    number = dtypes.as_dtype(array.dtype)._type_enum
    try:
        data = _core.tensor_proto(array, number, array.shape if shape is None else shape)
    except errors_impl.InvalidArgumentError as e:
        raise ValueError(e.message) from None
    return protos.TensorProto.FromString(data)


@tf_export("make_ndarray")
def MakeNdarray(tensor: Any) -> np.ndarray:
    """Converts a `TensorProto` to a numpy array.

    Args:
      tensor: `TensorProto`.

    Returns:
      numpy array; strings become an object array of bytes.

    Raises:
      TypeError: for element types without a NumPy type.
      ValueError: if the contents do not fit the shape.
    """
    elements, number, shape = elements_of_proto(tensor)
    dtype = dtypes.as_dtype(number)
    if dtype.is_quantized:
        elements = elements.view(np.dtype(dtype.as_numpy_dtype))
    return constant_conversion.fill(elements, list(shape))


def read_message(read: Callable[[bytes], Any], message: Any) -> Any:
    """Applies `read`, a function of the core, to a serialized message. Raises ValueError for invalid contents,
    TypeError for unsupported types."""
    try:
        return read(message.SerializeToString())
    except errors_impl.InvalidArgumentError as e:
        raise ValueError(e.message) from None
    except errors_impl.UnimplementedError as e:
        raise TypeError(e.message) from None


def elements_of_proto(tensor: Any) -> tuple[np.ndarray, int, tuple[int, ...]]:
    """The stored elements of a `TensorProto` as a vector, their type number, and the full shape, for which the last
    element is repeated. Raises like `MakeNdarray`."""
    return read_message(_core.tensor_of_proto, tensor)


def is_tensor_proto(value: Any) -> bool:
    """Whether `value` is a `TensorProto` of any descriptor pool."""
    descriptor = getattr(value, "DESCRIPTOR", None)
    return getattr(descriptor, "full_name", None) == "tensorflow.TensorProto"


def TensorShapeProtoToList(shape: Any) -> list[int]:
    """The dimensions of a `TensorShapeProto` as a list of ints; -1 for unknown ones."""
    return [dim.size for dim in shape.dim]


def ShapeEquals(tensor_proto: Any, shape: Any) -> bool:
    """Whether a `TensorProto` has the given shape: a list, tuple, `TensorShape` or `TensorShapeProto`.

    Raises TypeError for arguments of other types.
    """
    if not is_tensor_proto(tensor_proto):
        raise TypeError("tensor_proto is not a tensor_pb2.TensorProto object")
    if hasattr(shape, "unknown_rank"):
        shape = TensorShapeProtoToList(shape)
    elif isinstance(shape, TensorShape):
        shape = shape.as_list()
    elif not isinstance(shape, (list, tuple)):
        raise TypeError("shape is not a list or tuple")
    return TensorShapeProtoToList(tensor_proto.tensor_shape) == list(shape)
