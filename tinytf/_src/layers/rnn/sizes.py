"""State and output sizes, and shapes that start with the batch size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape
from tinytf._src.ops.array.constant_tensors import zeros
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.shape_ops import expand_dims, shape


def _part(value: Any, what: str) -> tuple[Any, Any]:
    """Returns part of a shape as a tensor, or None if it is not fully known, and as a TensorShape."""
    if not isinstance(value, Tensor):
        known = as_shape(value)
        return constant(known.as_list(), dtype=dtypes.int32) if known.is_fully_defined() else None, known
    known = as_shape(constant_value(value))
    if value.shape.ndims == 0:
        return expand_dims(value, 0), known
    if value.shape.ndims != 1:
        raise ValueError(f"{what} tensor must be either a scalar or vector, but saw tensor: {value}")
    return value, known


def joined_shape(prefix: Any, suffix: Any) -> Tensor:
    """Concatenates two parts of a shape, each an int, a TensorShape or a tensor. Raises ValueError if one is not fully
    known.
    """
    first, _ = _part(prefix, "prefix")
    second, _ = _part(suffix, "suffix")
    if first is None or second is None:
        raise ValueError(f"Provided a prefix or suffix of None: {prefix} and {suffix}")
    return concat((first, second), 0)


def joined_known_shape(prefix: Any, suffix: Any) -> TensorShape:
    """Returns the static shape of `joined_shape`. Creates the same nodes as TensorFlow on the way."""
    _, first = _part(prefix, "prefix")
    _, second = _part(suffix, "suffix")
    return first.concatenate(second)


def zero_states(state_size: Any, batch_size: Any, dtype: Any) -> Any:
    """Returns zeros for each state in a structure of sizes."""

    def zero_state(size: Any) -> Tensor:
        state = zeros(joined_shape(batch_size, size), dtype=dtype)
        if not executing_eagerly():
            state.set_shape(joined_known_shape(batch_size, size))
        return state

    return nest.map_structure(zero_state, state_size)


def common_dtype(dtype: Any, state: Any) -> Any:
    """Returns `dtype`, or the common dtype of all states if it is None. Raises ValueError if there is no common one."""
    if dtype is not None:
        return dtype
    if not nest.is_nested(state):
        return state.dtype
    found = [tensor.dtype for tensor in nest.flatten(state)]
    if not found:
        raise ValueError("Unable to infer dtype from empty state.")
    if any(one != found[0] for one in found):
        raise ValueError(
            "State has tensors of different inferred_dtypes. Unable to infer a single representative dtype."
        )
    return found[0]


def shape_of_size(size: Any) -> Any:
    """Returns a size; a size tensor becomes its static value as a TensorShape."""
    return as_shape(constant_value(size)) if isinstance(size, Tensor) else size


def best_effort_input_batch_size(flat_input: Sequence[Any]) -> Any:
    """Returns the batch size of time-major inputs: an int if one of them has it statically, otherwise a scalar."""
    for tensor in flat_input:
        if tensor.shape.ndims is None:
            continue
        if tensor.shape.ndims < 2:
            raise ValueError(f"Expected input tensor {tensor} to have rank at least 2")
        size = tensor.shape.as_list()[1]
        if size is not None:
            return size
    return shape(flat_input[0])[1]
