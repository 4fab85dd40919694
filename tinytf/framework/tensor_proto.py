"""`TensorProto`s from values and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf import _core, protos
from tinytf.exports import tf_export
from tinytf.framework import constant_conversion, dtypes, errors_impl
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.tensor_shape import TensorShape


@tf_export("make_tensor_proto")
@called_by_users
def make_tensor_proto(
    values: Any, dtype: Any = None, shape: Any = None, verify_shape: bool = False, allow_broadcast: bool = False
) -> Any:
    """The `TensorProto` of a Python or NumPy value; a `TensorProto` is returned unchanged.

    Types and shapes follow `tf.constant`. A value that has fewer elements than `shape` is stored as it is: readers
    repeat its last element. Raises TypeError and ValueError as `constant_conversion.to_ndarray`, and ValueError for
    2 GiB and more.
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
    """The `TensorProto` of an array, declared to have `shape` (by default its own). Raises ValueError for 2 GiB."""
    number = dtypes.as_dtype(array.dtype)._type_enum
    try:
        data = _core.tensor_proto(array, number, array.shape if shape is None else shape)
    except errors_impl.InvalidArgumentError as e:
        raise ValueError(e.message) from None
    return protos.TensorProto.FromString(data)


@tf_export("make_ndarray")
def MakeNdarray(tensor: Any) -> np.ndarray:
    """The array of a `TensorProto`; strings become an object array of bytes.

    Raises TypeError for types that NumPy does not have, ValueError if the proto's contents do not fit its shape.
    """
    elements, number, shape = elements_of_proto(tensor)
    dtype = dtypes.as_dtype(number)
    if dtype.is_quantized:
        elements = elements.view(np.dtype(dtype.as_numpy_dtype))
    return constant_conversion.fill(elements, list(shape))


def read_message(read: Callable[[bytes], Any], message: Any) -> Any:
    """What `read`, a function of the core, makes of a message. ValueError, or TypeError for types, if it has no sense."""
    try:
        return read(message.SerializeToString())
    except errors_impl.InvalidArgumentError as e:
        raise ValueError(e.message) from None
    except errors_impl.UnimplementedError as e:
        raise TypeError(e.message) from None


def elements_of_proto(tensor: Any) -> tuple[np.ndarray, int, tuple[int, ...]]:
    """The elements that a `TensorProto` has, as a vector, the number of their type, and the shape that they fill: the last
    one stands for those that follow. Raises as `MakeNdarray`."""
    return read_message(_core.tensor_of_proto, tensor)


def is_tensor_proto(value: Any) -> bool:
    """Whether `value` is a `TensorProto`, also one of another descriptor pool."""
    descriptor = getattr(value, "DESCRIPTOR", None)
    return getattr(descriptor, "full_name", None) == "tensorflow.TensorProto"


def TensorShapeProtoToList(shape: Any) -> list[int]:
    """The sizes of a `TensorShapeProto`'s dimensions; -1 for unknown ones."""
    return [dim.size for dim in shape.dim]


def ShapeEquals(tensor_proto: Any, shape: Any) -> bool:
    """Whether a `TensorProto` has a shape: a list, tuple, `TensorShape` or `TensorShapeProto`.

    Raises TypeError if either argument is something else.
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
