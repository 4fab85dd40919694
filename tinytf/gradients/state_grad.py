"""Gradients of reads of variables, and ops that gradients stop at for want of a meaning."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf.framework import dtypes
from tinytf.framework.constant_op import constant
from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.gradients.registry import RegisterGradient


@RegisterGradient("ReadVariableOp")
def _read_variable(_: Any, grad: Any) -> Any:
    return grad


@RegisterGradient("ResourceGather")
def _resource_gather(op: Any, grad: Any) -> Any:
    handle, indices = op.inputs
    shape = g.variable_shape(handle, out_type=dtypes.int32)
    size = g.expand_dims(g.size(indices), constant(0))
    tail = g.strided_slice(shape, constant([1]), constant([0]), constant([1]), end_mask=1)
    values = g.reshape(grad, g.concat_v2([size, tail], 0))
    return IndexedSlices(values, g.reshape(indices, size), shape), None


@RegisterGradient("ResourceGatherNd")
def _resource_gather_nd(op: Any, grad: Any) -> Any:
    handle, indices = op.inputs
    shape = g.variable_shape(handle, out_type=indices.dtype)
    if indices.shape.ndims == 2 and indices.shape[-1].value == 1:
        return IndexedSlices(grad, g.squeeze(indices, axis=[-1]), shape), None
    return g.scatter_nd(indices, grad, shape), None
