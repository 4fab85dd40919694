"""Gradients of tensor list ops, which are tensor lists, too."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.ops import array_ops
from tinytf._src.ops.data_flow import list_ops


def _element_shape(handle: Any) -> Any:
    return g.tensor_list_element_shape(handle, shape_type=dtypes.int32)


def _shape_of_rows(tensor: Any) -> Any:
    return array_ops.slice(array_ops.shape(tensor), [1], [-1])


@gradient_of("TensorListPushBack")
def _push_back(op: Any, grad: Any) -> Any:
    return g.tensor_list_pop_back(
        grad, element_shape=array_ops.shape(op.inputs[1]), element_dtype=op.get_attr("element_dtype")
    )


@gradient_of("TensorListPopBack")
def _pop_back(op: Any, list_grad: Any, element_grad: Any) -> Any:
    if element_grad is None:  # the type has no gradient, but the list must keep its length
        element_grad = array_ops.zeros_like(op.outputs[1])
    if list_grad is None:
        list_grad = list_ops.empty_tensor_list(
            element_dtype=element_grad.dtype, element_shape=_element_shape(op.outputs[0])
        )
    return g.tensor_list_push_back(list_grad, element_grad), None


@gradient_of("TensorListStack")
def _stack(_: Any, grad: Any) -> Any:
    return list_ops.tensor_list_from_tensor(grad, element_shape=grad.shape[1:]), None


@gradient_of("TensorListConcat")
def _concat(op: Any, grad: Any, _: Any) -> Any:
    return list_ops.tensor_list_split(grad, element_shape=_element_shape(op.inputs[0]), lengths=op.outputs[1])


@gradient_of("TensorListConcatV2")
def _concat_v2(op: Any, grad: Any, of_lengths: Any) -> Any:
    return _concat(op, grad, of_lengths), None, None


@gradient_of("TensorListSplit")
def _split(op: Any, grad: Any) -> Any:
    tensor, _, lengths = op.inputs
    element_shape = array_ops.concat([[-1], _shape_of_rows(tensor)], axis=0)
    joined = g.tensor_list_concat_v2(
        grad, element_shape=element_shape, leading_dims=lengths, element_dtype=tensor.dtype
    )
    return joined[0], None, None


@gradient_of("TensorListFromTensor")
def _from_tensor(op: Any, grad: Any) -> Any:
    tensor = op.inputs[0]
    rows = tensor.shape.dims[0].value if tensor.shape.dims else None
    if grad is None:
        grad = list_ops.empty_tensor_list(element_dtype=tensor.dtype, element_shape=_element_shape(op.outputs[0]))
    stacked = g.tensor_list_stack(
        grad,
        element_shape=_shape_of_rows(tensor),
        element_dtype=tensor.dtype,
        num_elements=-1 if rows is None else rows,
    )
    return stacked, None


@gradient_of("TensorListGetItem")
def _get_item(op: Any, grad: Any) -> Any:
    handle, index, _ = op.inputs
    size = g.tensor_list_length(handle)
    zeros = g.tensor_list_reserve(_element_shape(handle), size, element_dtype=grad.dtype)
    return g.tensor_list_set_item(zeros, index=index, item=grad), None, None


@gradient_of("TensorListSetItem")
def _set_item(op: Any, grad: Any) -> Any:
    _, index, item = op.inputs
    list_grad = g.tensor_list_set_item(grad, index=index, item=array_ops.zeros_like(item))
    item_grad = list_ops.tensor_list_get_item(
        grad, index, element_shape=array_ops.shape(item), element_dtype=item.dtype
    )
    return list_grad, None, item_grad


@gradient_of("TensorListResize")
def _resize(op: Any, grad: Any) -> Any:
    size = g.tensor_list_length(op.inputs[0])
    return g.tensor_list_resize(grad, size), None


@gradient_of("TensorListGather")
def _gather(op: Any, grad: Any) -> Any:
    handle, indices, _ = op.inputs
    element_shape, size = _element_shape(handle), g.tensor_list_length(handle)
    zeros = list_ops.tensor_list_reserve(element_shape, size, grad.dtype)
    return list_ops.tensor_list_scatter(tensor=grad, indices=indices, input_handle=zeros), None, None


def _gathered(tensor: Any, indices: Any, grad: Any) -> Any:
    return g.tensor_list_gather(grad, indices, element_shape=_shape_of_rows(tensor), element_dtype=tensor.dtype)


@gradient_of("TensorListScatter")
def _scatter(op: Any, grad: Any) -> Any:
    tensor, indices, _ = op.inputs
    return _gathered(tensor, indices, grad), None, None


@gradient_of("TensorListScatterV2")
def _scatter_v2(op: Any, grad: Any) -> Any:
    tensor, indices, _, _ = op.inputs
    return _gathered(tensor, indices, grad), None, None, None


@gradient_of("TensorListScatterIntoExistingList")
def _scatter_into_existing_list(op: Any, grad: Any) -> Any:
    _, tensor, indices = op.inputs
    tensor_grad = _gathered(tensor, indices, grad)
    list_grad = list_ops.tensor_list_scatter(array_ops.zeros_like(tensor), indices, input_handle=grad)
    return list_grad, tensor_grad, None
