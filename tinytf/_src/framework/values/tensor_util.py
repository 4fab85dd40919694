"""Conversions between tensors, TensorProtos and static values, in one place to import from."""

from tinytf._src.framework.values.constant_value import constant_value, constant_value_as_shape
from tinytf._src.framework.values.tensor_like import is_tensor
from tinytf._src.framework.values.tensor_proto import (
    MakeNdarray,
    ShapeEquals,
    TensorShapeProtoToList,
    make_tensor_proto,
)

make_ndarray = MakeNdarray

__all__ = [
    "MakeNdarray",
    "ShapeEquals",
    "TensorShapeProtoToList",
    "constant_value",
    "constant_value_as_shape",
    "is_tensor",
    "make_ndarray",
    "make_tensor_proto",
]
