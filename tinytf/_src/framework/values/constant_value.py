"""Static evaluation: values of tensors that can be derived while the graph is being built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf._src.exports import tf_export
from tinytf._src.framework.values import dtypes, tensor_like
from tinytf._src.framework.values.constant_conversion import fill
from tinytf._src.framework.values.tensor_shape import TensorShape, unknown_shape


@tf_export("get_static_value")
def constant_value(tensor: Any, partial: bool = False) -> Any:
    """The value of a tensor, if it can be derived from the graph without running it.

    After a value was returned, the tensor can no longer be fed, because the graph may depend on the value.

    Args:
      tensor: Tensor; any other value is returned unchanged.
      partial: bool, whether a packed tensor may have None for unknown elements.

    Returns:
      numpy array, possibly read-only, or None if the value is unknown.
    """
    if tensor_like.is_eager_tensor(tensor):
        return tensor.numpy()
    if not tensor_like.is_tensor(tensor):
        return tensor
    if not tensor_like.is_graph_tensor(tensor):
        return None
    rule = _RULES.get(tensor.op.type)
    value = None if rule is None else rule(tensor, partial)
    if value is not None:
        tensor.graph.prevent_feeding(tensor)
    return value


def evaluated_constant(tensor: Any) -> Any:
    """The value of a graph tensor that depends on constants only, computed by running its operations; else None.

    A NumPy scalar, or bytes, for rank 0. Stateful ops, control flow, function calls, variables and placeholders with
    defaults do not count as constant, nor do computations that need large values. The tensor can still be fed.
    """
    value = tensor.graph._core.constant_value(tensor._key)
    return None if value is None else value[()]


def constant_value_as_shape(tensor: Any) -> TensorShape:
    """The static shape that an int32 or int64 vector describes, as far as its elements are known; -1 means unknown.

    A scalar must be -1, which means a shape of unknown rank. Raises ValueError for other scalars and for higher ranks.
    """
    if tensor_like.is_eager_tensor(tensor):
        return TensorShape([d if d != -1 else None for d in tensor.numpy()])
    shape = tensor.get_shape()
    if shape.ndims == 0:
        value = constant_value(tensor)
        if value is None:
            raise ValueError(
                "Received a scalar with unknown value as shape; require a statically known scalar with value '-1' to "
                "describe an unknown shape."
            )
        if value != -1:
            raise ValueError(
                f"Received a scalar value '{value}' as shape; require a statically known scalar with value '-1' to "
                "describe an unknown shape."
            )
        return unknown_shape()
    length = shape.with_rank(1)[0].value
    if length == 0:
        return TensorShape([])
    rule = _SHAPE_RULES.get(tensor.op.type)
    result = None if rule is None else rule(tensor.op)
    if result is not None:
        return result
    value = constant_value(tensor)
    return unknown_shape(length) if value is None else TensorShape([int(d) if d >= 0 else None for d in value])


def _const(tensor: Any, partial: bool) -> Any:
    array, _, *shape = tensor.op._raw_attr("value")
    return fill(array, *shape) if shape else array


def _shape(tensor: Any, partial: bool) -> Any:
    shape = tensor.op.inputs[0].get_shape()
    return np.array(shape.as_list(), tensor.dtype.as_numpy_dtype) if shape.is_fully_defined() else None


def _size(tensor: Any, partial: bool) -> Any:
    size = tensor.op.inputs[0].get_shape().num_elements()
    return None if size is None else np.array(size, tensor.dtype.as_numpy_dtype)


def _rank(tensor: Any, partial: bool) -> Any:
    rank = tensor.op.inputs[0].get_shape().ndims
    return None if rank is None else np.array(rank, np.int32)


def _range(tensor: Any, partial: bool) -> Any:
    values = _all_values(tensor.op.inputs)
    return None if values is None else np.arange(*values, dtype=tensor.dtype.as_numpy_dtype)


def _cast(tensor: Any, partial: bool) -> Any:
    value = constant_value(tensor.op.inputs[0])
    return None if value is None else value.astype(dtypes.as_dtype(tensor.op._raw_attr("DstT")).as_numpy_dtype)


def _concat(tensor: Any, partial: bool) -> Any:
    values = _all_values(tensor.op.inputs)
    return None if values is None else np.concatenate(values[1:], axis=int(values[0]))


def _concat_v2(tensor: Any, partial: bool) -> Any:
    values = _all_values(tensor.op.inputs)
    return None if values is None else np.concatenate(values[:-1], axis=int(values[-1]))


def _pack(tensor: Any, partial: bool) -> Any:
    if not tensor.op.inputs or tensor.op._raw_attr("axis") != 0:
        return None
    if not partial:
        values = _all_values(tensor.op.inputs)
        return None if values is None else np.array(values)
    known = [constant_value(element, partial) for element in tensor.op.inputs]
    return np.array(known, object if any(value is None for value in known) else None)


def _fill(tensor: Any, partial: bool) -> Any:
    shape, value = tensor.get_shape(), constant_value(tensor.op.inputs[1])
    return np.full(shape.as_list(), value, value.dtype) if value is not None and shape.is_fully_defined() else None


def _equal(tensor: Any, partial: bool) -> Any:
    values = _all_values(tensor.op.inputs)
    return None if values is None else np.equal(*values)


def _not_equal(tensor: Any, partial: bool) -> Any:
    values = _all_values(tensor.op.inputs)
    return None if values is None else np.not_equal(*values)


def _all_values(tensors: Any) -> list[Any] | None:
    """The static values of all tensors, or None if any is unknown."""
    values = []
    for tensor in tensors:
        value = constant_value(tensor)
        if value is None:
            return None
        values.append(value)
    return values


_RULES: dict[str, Callable[[Any, bool], Any]] = {
    "Const": _const,
    "Shape": _shape,
    "Size": _size,
    "Rank": _rank,
    "Range": _range,
    "Cast": _cast,
    "Concat": _concat,
    "ConcatV2": _concat_v2,
    "Pack": _pack,
    "Fill": _fill,
    "Equal": _equal,
    "NotEqual": _not_equal,
}


def _shape_of_shape(op: Any) -> TensorShape:
    return op.inputs[0].get_shape()


def _shape_of_pack(op: Any) -> TensorShape:
    extents = []
    for element in op.inputs:
        value = constant_value(element)
        extents.append(None if value is None or value < 0 else int(value))
    return TensorShape(extents)


def _shape_of_parts(parts: Any) -> TensorShape:
    result = TensorShape([])
    for part in parts:
        result = result.concatenate(constant_value_as_shape(part))
    return result


def _shape_of_slice(op: Any) -> TensorShape | None:
    """The static shape of `shape[begin:end:stride]`; None for other forms of strided slices."""
    bounds = _all_values(op.inputs[1:4])
    if bounds is None or any(op._raw_attr(m) for m in ("ellipsis_mask", "new_axis_mask", "shrink_axis_mask")):
        return None
    begin_mask, end_mask = op._raw_attr("begin_mask"), op._raw_attr("end_mask")
    if begin_mask not in (0, 1) or end_mask not in (0, 1):
        return None
    begin, end, stride = [int(bound[0]) for bound in bounds]
    try:
        return constant_value_as_shape(op.inputs[0])[None if begin_mask else begin : None if end_mask else end : stride]
    except ValueError:  # the shape has unknown rank
        return None


_SHAPE_RULES: dict[str, Callable[[Any], TensorShape | None]] = {
    "Shape": _shape_of_shape,
    "Pack": _shape_of_pack,
    "Concat": lambda op: _shape_of_parts(op.inputs[1:]),
    "ConcatV2": lambda op: _shape_of_parts(op.inputs[:-1]),
    "StridedSlice": _shape_of_slice,
}
