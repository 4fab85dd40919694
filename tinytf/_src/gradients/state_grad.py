"""Gradients of reads of variables."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_like import is_eager_tensor
from tinytf._src.gradients.gather_grad import gradient_of_index_vectors
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import size
from tinytf._src.ops import array_ops


@gradient_of("ReadVariableOp")
def _read_variable(_: Any, grad: Any) -> Any:
    return grad


@gradient_of("ResourceGather")
def _resource_gather(op: Any, grad: Any) -> Any:
    handle, indices = op.inputs
    full = variable_shape(handle)
    count = array_ops.expand_dims(size(indices), 0)
    values = g.reshape(grad, array_ops.concat([count, full[1:]], 0))
    return IndexedSlices(values, g.reshape(indices, count), full), None


@gradient_of("ResourceGatherNd")
def _resource_gather_nd(op: Any, grad: Any) -> Any:
    handle, indices = op.inputs
    return gradient_of_index_vectors(indices, grad, g.variable_shape(handle, out_type=indices.dtype)), None


def variable_shape_when_run(handle: Any) -> Any:
    """The shape of the variable behind a handle, determined in each step."""
    return g.variable_shape(handle, out_type=dtypes.int32)


def variable_shape(handle: Any) -> Any:
    """The shape of the variable behind a handle: in graph mode a constant if it is known, except for handles from
    branches and loops, for which TensorFlow does not know it."""
    if not is_eager_tensor(handle) and not handle.op._spec.control_flow:
        info = handle.graph._core.handle_info(handle._key)
        if info is not None and info[1] is not None and None not in info[1]:
            return constant(list(info[1]), dtypes.int32)
    return g.variable_shape(handle, out_type=dtypes.int32)
