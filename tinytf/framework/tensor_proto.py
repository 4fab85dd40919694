"""`TensorProto`s from values and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf.framework import constant_conversion, dtypes
from tinytf.framework.dtypes import DType
from tinytf.framework.error_traceback import called_by_users

_MAX_BYTES = 1 << 31

# Which field of a TensorProto holds the elements of a type one by one.
_FIELDS: dict[DType, str] = {
    dtypes.float32: "float_val",
    dtypes.float64: "double_val",
    dtypes.string: "string_val",
    dtypes.complex64: "scomplex_val",
    dtypes.complex128: "dcomplex_val",
    dtypes.int64: "int64_val",
    dtypes.bool: "bool_val",
    dtypes.float16: "half_val",
    dtypes.bfloat16: "half_val",
    **{dtypes.as_dtype(number): "float8_val" for number in dtypes._FLOAT8},
    dtypes.uint32: "uint32_val",
    dtypes.uint64: "uint64_val",
    **dict.fromkeys((dtypes.int32, dtypes.int16, dtypes.int8, dtypes.uint16, dtypes.uint8), "int_val"),
    **dict.fromkeys(dtypes._QUANTIZED_DTYPES_NO_REF, "int_val"),
}
# The types whose tensors of two or more elements are kept as raw bytes.
_AS_CONTENT = frozenset(_FIELDS) - {
    dtypes.string,
    dtypes.bool,
    dtypes.float16,
    dtypes.bfloat16,
    dtypes.complex64,
    dtypes.complex128,
    dtypes.uint16,
}


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
    from tinytf.interop import protos

    dtype = dtypes.as_dtype(array.dtype)
    extents = array.shape if shape is None else shape
    proto = protos.TensorProto(dtype=dtype._type_enum, tensor_shape={"dim": [{"size": extent} for extent in extents]})
    size = 1
    for extent in extents:
        size *= extent
    if size == array.size and size > 1 and dtype in _AS_CONTENT:
        if array.nbytes >= _MAX_BYTES:
            raise ValueError("Cannot create a tensor proto whose content is larger than 2GB.")
        proto.tensor_content = array.tobytes()
        return proto
    flat = array.ravel()
    if _FIELDS[dtype] == "float8_val":
        proto.float8_val = flat.tobytes()
        return proto
    if dtype.is_complex:
        flat = flat.view(flat.real.dtype)
    elif dtype in (dtypes.float16, dtypes.bfloat16):
        flat = flat.view(np.uint16)
    elif dtype.is_quantized:
        flat = flat.view(flat.dtype[0])
    getattr(proto, _FIELDS[dtype]).extend(flat.tolist())
    return proto


def MakeNdarray(tensor: Any) -> np.ndarray:
    """The array of a `TensorProto`; strings become an object array of bytes.

    Raises TypeError for types that NumPy does not have, ValueError if the proto's contents do not fit its shape.
    """
    return constant_conversion.fill(*elements_and_shape(tensor))


def elements_and_shape(tensor: Any) -> tuple[np.ndarray, list[int]]:
    """The elements that a `TensorProto` has, and the shape that they fill: the last one stands for those that follow.

    An array of that shape, or a vector of as many or fewer elements. Raises as `MakeNdarray`.
    """
    shape = [dim.size for dim in tensor.tensor_shape.dim]
    dtype = dtypes.as_dtype(tensor.dtype).base_dtype
    field = _FIELDS.get(dtype)
    if field is None:
        raise TypeError(f"Unsupported tensor type: {tensor.dtype}")
    numpy_dtype = np.dtype(dtype.as_numpy_dtype)
    if tensor.tensor_content:
        return np.frombuffer(tensor.tensor_content, dtype=numpy_dtype).copy().reshape(shape), shape
    elements = getattr(tensor, field)
    if dtype is dtypes.string:
        flat = np.empty(len(elements), numpy_dtype)
        flat[:] = list(elements)
    elif dtype.is_complex:
        flat = np.array(elements, np.zeros(0, numpy_dtype).real.dtype).view(numpy_dtype)
    elif field == "float8_val":
        flat = np.frombuffer(elements, numpy_dtype)
    elif field == "half_val":
        flat = np.array(elements, np.uint16).view(numpy_dtype)
    elif dtype.is_quantized:
        flat = np.array(elements, numpy_dtype[0]).view(numpy_dtype)
    else:
        flat = np.array(elements, numpy_dtype)
    return flat, shape


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
    from tinytf.framework.tensor_shape import TensorShape

    if not is_tensor_proto(tensor_proto):
        raise TypeError("tensor_proto is not a tensor_pb2.TensorProto object")
    if hasattr(shape, "unknown_rank"):
        shape = TensorShapeProtoToList(shape)
    elif isinstance(shape, TensorShape):
        shape = shape.as_list()
    elif not isinstance(shape, (list, tuple)):
        raise TypeError("shape is not a list or tuple")
    return TensorShapeProtoToList(tensor_proto.tensor_shape) == list(shape)
