"""Tensor lists, which are immutable values: an operation on a list yields a new list."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._gen.gen_ops import (
    tensor_list_concat_lists,
    tensor_list_concat_v2,
    tensor_list_element_shape,
    tensor_list_length,
    tensor_list_push_back,
    tensor_list_push_back_batch,
    tensor_list_resize,
    tensor_list_scatter_into_existing_list,
    tensor_list_scatter_v2,
)
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import Dimension, TensorShape
from tinytf._src.ops.control_flow.conditional import cond

__all__ = [
    "empty_tensor_list",
    "tensor_list_concat",
    "tensor_list_concat_lists",
    "tensor_list_concat_v2",
    "tensor_list_element_shape",
    "tensor_list_from_tensor",
    "tensor_list_gather",
    "tensor_list_get_item",
    "tensor_list_length",
    "tensor_list_pop_back",
    "tensor_list_push_back",
    "tensor_list_push_back_batch",
    "tensor_list_reserve",
    "tensor_list_resize",
    "tensor_list_scatter",
    "tensor_list_scatter_into_existing_list",
    "tensor_list_scatter_v2",
    "tensor_list_set_item",
    "tensor_list_split",
    "tensor_list_stack",
]


def empty_tensor_list(
    element_shape: Any, element_dtype: Any, max_num_elements: Any = None, name: str | None = None
) -> Tensor:
    """Creates an empty list, to which at most `max_num_elements` elements can be pushed; None means unbounded."""
    return gen_ops.empty_tensor_list(
        element_shape=_sizes(element_shape),
        element_dtype=element_dtype,
        max_num_elements=-1 if max_num_elements is None else max_num_elements,
        name=name,
    )


def tensor_list_reserve(element_shape: Any, num_elements: Any, element_dtype: Any, name: str | None = None) -> Tensor:
    """Creates a list of `num_elements` unset elements, which are read as zeros if their shape is known."""
    return gen_ops.tensor_list_reserve(
        element_shape=_sizes(element_shape), num_elements=num_elements, element_dtype=element_dtype, name=name
    )


def tensor_list_from_tensor(tensor: Any, element_shape: Any, name: str | None = None) -> Tensor:
    """Creates the list of the rows of `tensor`."""
    return gen_ops.tensor_list_from_tensor(tensor=tensor, element_shape=_sizes(element_shape), name=name)


def tensor_list_get_item(
    input_handle: Any, index: Any, element_dtype: Any, element_shape: Any = None, name: str | None = None
) -> Tensor:
    """Returns element `index` of the list."""
    return gen_ops.tensor_list_get_item(
        input_handle=input_handle,
        index=index,
        element_shape=_sizes(element_shape),
        element_dtype=element_dtype,
        name=name,
    )


def tensor_list_pop_back(input_handle: Any, element_dtype: Any, name: str | None = None) -> Any:
    """Returns the list without its last element, and that element."""
    return gen_ops.tensor_list_pop_back(
        input_handle=input_handle, element_shape=-1, element_dtype=element_dtype, name=name
    )


def tensor_list_gather(
    input_handle: Any, indices: Any, element_dtype: Any, element_shape: Any = None, name: str | None = None
) -> Tensor:
    """Returns the elements at `indices`, stacked."""
    return gen_ops.tensor_list_gather(
        input_handle=input_handle,
        indices=indices,
        element_shape=_sizes(element_shape),
        element_dtype=element_dtype,
        name=name,
    )


def tensor_list_scatter(
    tensor: Any, indices: Any, element_shape: Any = None, input_handle: Any = None, name: str | None = None
) -> Tensor:
    """Returns `input_handle`, or a new list, with the rows of `tensor` stored at `indices`."""
    if input_handle is not None:
        return gen_ops.tensor_list_scatter_into_existing_list(
            input_handle=input_handle, tensor=tensor, indices=indices, name=name
        )
    return gen_ops.tensor_list_scatter_v2(
        tensor=tensor, indices=indices, element_shape=_sizes(element_shape), num_elements=-1, name=name
    )


def tensor_list_stack(
    input_handle: Any, element_dtype: Any, num_elements: int = -1, element_shape: Any = None, name: str | None = None
) -> Tensor:
    """Returns the elements of the list stacked. Their number must be `num_elements`, unless that is -1."""
    return gen_ops.tensor_list_stack(
        input_handle=input_handle,
        element_shape=_sizes(element_shape),
        element_dtype=element_dtype,
        num_elements=num_elements,
        name=name,
    )


def tensor_list_concat(
    input_handle: Any, element_dtype: Any, element_shape: Any = None, name: str | None = None
) -> Tensor:
    """Returns the elements of the list concatenated along their first dimension."""
    return gen_ops.tensor_list_concat_v2(
        input_handle=input_handle,
        element_dtype=element_dtype,
        element_shape=_sizes(element_shape),
        leading_dims=convert_to_tensor([], dtype=dtypes.int64),
        name=name,
    )[0]


def tensor_list_split(tensor: Any, element_shape: Any, lengths: Any, name: str | None = None) -> Tensor:
    """Creates the list of consecutive pieces of `tensor`; piece i has `lengths[i]` rows."""
    return gen_ops.tensor_list_split(tensor=tensor, element_shape=_sizes(element_shape), lengths=lengths, name=name)


def tensor_list_set_item(
    input_handle: Any, index: Any, item: Any, resize_if_index_out_of_bounds: bool = False, name: str | None = None
) -> Tensor:
    """Returns the list with `item` stored at `index`; `resize_if_index_out_of_bounds` allows an index beyond
    the end.
    """
    if resize_if_index_out_of_bounds:
        handle, size = input_handle, gen_ops.tensor_list_length(input_handle)
        input_handle = cond(index >= size, lambda: gen_ops.tensor_list_resize(handle, index + 1), lambda: handle)
    return gen_ops.tensor_list_set_item(input_handle=input_handle, index=index, item=item, name=name)


def _sizes(shape: Any) -> Any:
    """Returns the op argument `element_shape`: -1 for unknown rank, otherwise a vector with -1 for unknown sizes."""
    if isinstance(shape, Tensor):
        return shape
    if isinstance(shape, TensorShape):
        shape = shape.as_list() if shape else None
    if shape is None:
        return -1
    if not shape:
        return convert_to_tensor(shape, dtype=dtypes.int32)
    known = [size.value if isinstance(size, Dimension) else size for size in shape]
    return [-1 if size is None else size for size in known]
