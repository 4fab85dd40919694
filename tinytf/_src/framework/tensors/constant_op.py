"""`tf.constant`, and the conversions of Python and NumPy values to tensors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tinytf import _core
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.errors.error_traceback import REPORTED, leave_to_user
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.conversion import register_tensor_conversion_function
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_conversion import check_shape, convert, fill, shape_list, to_ndarray
from tinytf._src.framework.values.dimension import Dimension
from tinytf._src.framework.values.tensor_like import is_eager_tensor
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape

_CONST = op_spec("Const")


@tf_export("constant")
def constant(
    value: Any, dtype: Any = None, shape: Any = None, name: str | None = "Const", verify_shape: bool = False
) -> Tensor:
    """Creates a tensor with a fixed value.

    Args:
      value: number, string, (nested) list or array. In graph mode also a `TensorProto`, which is used as it is,
        regardless of `dtype` and `shape`.
      dtype: element type; None infers it: Python floats become float32, ints int32 if they fit, else int64.
      shape: sequence of ints, shape of the result; None means the shape of `value`. In graph mode, missing elements
        repeat the last one; in eager mode, only a single element may be repeated.
      name: str, name of the operation.
      verify_shape: bool, whether the shape of `value` must equal `shape`.

    Returns:
      Tensor with element type `dtype` and shape `shape`; an EagerTensor in eager mode.

    Raises:
      TypeError: if `value` does not fit `dtype`, or does not fit `shape` with `verify_shape` or in eager mode.
      ValueError: if `value` is None or a ragged list, or has more elements than `shape` (in graph mode).

    Example:
      x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
      zeros = tf.constant(0, tf.int32, shape=[2, 3])
    """
    try:
        return _constant(value, dtype, shape, name, verify_shape)
    except REPORTED:
        leave_to_user()
        raise


def _constant(value: Any, dtype: Any, shape: Any, name: str | None, verify_shape: bool) -> Tensor:
    name = "Const" if name is None else name
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype)
    if executing_eagerly():
        return _eager_constant(value, dtype, shape, verify_shape)
    if value.__class__.__name__ == "TensorProto":
        return _add_constant(value.SerializeToString(), value.dtype, name)
    if shape is None:
        array = to_ndarray(value, dtype)
        return constant_from_array(array, dtypes.as_dtype(array.dtype), name)
    elements = convert(value, dtype, shape)
    return _graph_constant(elements, name, check_shape(elements, shape, verify_shape, False))


def _eager_constant(value: Any, dtype: dtypes.DType | None, shape: Any, verify_shape: bool) -> Tensor:
    """An eager constant; eager tensors of the right type and shape are returned unchanged. Raises TypeError if the
    number of elements is neither 1 nor that of `shape`."""
    if is_eager_tensor(value):
        if dtype is not None and value.dtype is not dtype:
            raise TypeError(f"Expected tensor with type {dtype!r} not {value.dtype!r}")
        if shape is None or value.shape == as_shape(shape):
            return value
    try:
        array = to_ndarray(value, dtype)
    except TypeError:
        if dtype is None:
            raise
        raise TypeError(f"Cannot convert {value!r} to EagerTensor of dtype {dtype._core_name}") from None
    if shape is not None:
        array = _in_shape(array, shape_list(shape), verify_shape)
    return _core.eager_constant(array, dtypes.as_dtype(array.dtype).as_datatype_enum)


def _in_shape(array: np.ndarray, extents: list[int], verify_shape: bool) -> np.ndarray:
    if verify_shape and array.shape != tuple(extents):
        raise TypeError(f"Expected Tensor's shape: {tuple(extents)}, got {array.shape}.")
    size = math.prod(extents)
    if array.size not in (1, size):
        raise TypeError(
            f"Eager execution of tf.constant with unsupported shape (value has {array.size} elements, shape is "
            f"{tuple(extents)} with {size} elements)."
        )
    return fill(array, extents)


def constant_from_array(array: np.ndarray, dtype: dtypes.DType, name: str) -> Tensor:
    """A Const node (or an eager tensor, in eager mode) with the array's value; `name` is made unique unless it ends in
    a slash."""
    number = dtype.as_datatype_enum
    if executing_eagerly():
        return _core.eager_constant(array, number)
    return _add_constant((array, number), number, name)


def _graph_constant(elements: np.ndarray, name: str, extents: list[int]) -> Tensor:
    """A Const node of shape `extents`. If there are fewer elements, the node keeps only these, and so do exported
    graphs."""
    number = dtypes.as_dtype(elements.dtype).as_datatype_enum
    if elements.size == math.prod(extents):
        return _add_constant((elements.reshape(extents), number), number, name)
    return _add_constant((elements.ravel(), number, tuple(extents)), number, name)


def _add_constant(value: tuple[Any, ...] | bytes, number: int, name: str) -> Tensor:
    graph = get_default_graph()
    name = name[:-1] if name[-1:] == "/" else graph._names.unique_name(name)
    return graph._create(_CONST, name, [], None, {"value": value, "dtype": number})._outputs[0]


def _constant_tensor_conversion_function(
    value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> Tensor:
    return _constant(value, dtype, None, name, False)


def _convert_tensor_shape(
    value: TensorShape, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> Tensor:
    if not value.is_fully_defined():
        raise ValueError(f"Cannot convert a partially known TensorShape to a Tensor: {value}")
    sizes = value.as_list()
    if dtype is not None:
        if dtype not in (dtypes.int32, dtypes.int64):
            raise TypeError(f"Cannot convert a TensorShape to dtype: {dtype}")
        largest = max((size for size in sizes if size is not None), default=0)
        if dtype == dtypes.int32 and largest >= 2**31:
            raise ValueError(f"Cannot convert a TensorShape to dtype int32; a dimension is too large ({largest})")
    else:
        dtype = dtypes.int64 if any(size is not None and size >= 2**31 for size in sizes) else dtypes.int32
    return constant(sizes, dtype=dtype, name=name or "shape_as_tensor")


def _convert_dimension(value: Dimension, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    if value.value is None:
        raise ValueError(f"Cannot convert an unknown Dimension to a Tensor: {value}")
    if dtype is not None and dtype not in (dtypes.int32, dtypes.int64):
        raise TypeError(f"Cannot convert a TensorShape to dtype: {dtype}")
    return constant(value.value, dtype=dtype or dtypes.int32, name=name or "shape_as_tensor")


register_tensor_conversion_function((list, tuple), _constant_tensor_conversion_function, 100)
register_tensor_conversion_function(object, _constant_tensor_conversion_function, 200)
register_tensor_conversion_function(TensorShape, _convert_tensor_shape, 100)
register_tensor_conversion_function(Dimension, _convert_dimension, 100)
