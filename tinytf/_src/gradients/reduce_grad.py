"""Gradients of reductions."""

from __future__ import annotations

import math
import weakref
from typing import Any

import numpy as np

from tinytf._gen import gen_ops as g
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.scopes.name_scope import colocate_with, device
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import conj, known_shape, rank, shape
from tinytf._src.ops import array_ops, math_ops

# For each graph, by input shape and axes: the output's shape with reduced dimensions kept, and the repetitions of each
# dimension. TensorFlow creates the nodes that compute them once per graph, where the pair first occurs.
_shapes_of_graphs: weakref.WeakKeyDictionary[Graph, dict[Any, Any]] = weakref.WeakKeyDictionary()


def _kept_shape(input_shape: Any, axes: Any) -> Any:
    """The shape of a reduction's output with reduced dimensions kept as 1, as a vector tensor."""
    if executing_eagerly():
        kept = np.array(input_shape, np.int32)
        kept[constant_value(axes).reshape(-1)] = 1
        return constant(kept)
    input_shape = math_ops.cast(input_shape, dtypes.int32)
    axes = math_ops.cast(axes, dtypes.int32)
    ndims = array_ops.size(input_shape)
    axes = (axes + ndims) % ndims
    axes_shape = array_ops.shape(axes)
    return g.dynamic_stitch([math_ops.range(ndims), axes], [input_shape, array_ops.fill(axes_shape, 1)])


def _repeats(input_shape: Any, kept: Any) -> Any:
    """The repetitions of each dimension that expand the kept shape to the input's shape."""
    return input_shape // g.maximum(kept, 1)


def _spread(op: Any, grad: Any) -> Any:
    """Broadcasts the gradient of each sum to all its terms, in eager mode."""
    shape = op.inputs[0]._shape_tuple()
    if not op.outputs[0]._shape_tuple():
        return g.fill(constant(shape, dtypes.int32), grad)
    return g.broadcast_to(g.reshape(grad, _kept_shape(shape, op.inputs[1])), constant(shape, dtypes.int32))


def _known_shapes(input_shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[Any, Any]:
    """The static kept shape and repetitions; creates TensorFlow's nodes for them if the graph has none yet."""
    known = _shapes_of_graphs.setdefault(get_default_graph(), {})
    if (input_shape, axes) not in known:
        kept = np.array(input_shape, np.int64)
        kept[list(axes)] = 1
        _kept_shape(input_shape, axes)
        _repeats(input_shape, tuple(kept.tolist()))
        known[input_shape, axes] = kept.tolist(), (np.array(input_shape) // np.maximum(kept, 1)).tolist()
    return known[input_shape, axes]


@gradient_of("Sum")
def _sum(op: Any, grad: Any) -> Any:
    if executing_eagerly():
        return _spread(op, grad), None
    x, axes = op.inputs
    dims = x._shape_tuple()
    static_axes = None if dims is None else constant_value(axes)
    if static_axes is not None:
        if np.array_equal(static_axes, np.arange(len(dims))):
            grad = array_ops.reshape(grad, [1] * len(dims))
            full = array_ops.shape(x) if None in dims else constant(dims, dtype=dtypes.int32)
            return g.tile(grad, full), None
        if None not in dims:
            kept, repeats = _known_shapes(dims, tuple(static_axes.reshape(-1).tolist()))
            return g.tile(g.reshape(grad, kept), repeats), None
    input_shape = array_ops.shape(x)
    with colocate_with(input_shape):
        kept = _kept_shape(input_shape, axes)
        repeats = _repeats(input_shape, kept)
    return g.tile(g.reshape(grad, kept), repeats), None


@gradient_of("Mean")
def _mean(op: Any, grad: Any) -> Any:
    shape_in, shape_out = op.inputs[0]._shape_tuple(), op.outputs[0]._shape_tuple()
    if executing_eagerly():
        terms = max(math.prod(shape_in), 1) // max(math.prod(shape_out), 1)
        return _spread(op, g.real_div(grad, constant(terms, dtype=grad.dtype))), None
    total = _sum(op, grad)[0]
    if shape_in is not None and shape_out is not None and None not in shape_in and None not in shape_out:
        factor: Any = constant(math.prod(shape_in) // max(math.prod(shape_out), 1), dtype=total.dtype)
    else:
        dims_in, dims_out = array_ops.shape(op.inputs[0]), array_ops.shape(op.outputs[0])
        factor = _repeats(math_ops.reduce_prod(dims_in), math_ops.reduce_prod(dims_out))
    return math_ops.truediv(total, math_ops.cast(factor, total.dtype)), None


def _kept_shape_of(op: Any) -> Any:
    x = op.inputs[0]
    return _kept_shape(x._shape_tuple() if executing_eagerly() else array_ops.shape(x), op.inputs[1])


def _min_or_max(op: Any, grad: Any) -> Any:
    kept = _kept_shape_of(op)
    y = g.reshape(op.outputs[0], kept)
    grad = g.reshape(grad, kept)
    # Equal extremes share the gradient equally.
    chosen = math_ops.cast(g.equal(y, op.inputs[0]), grad.dtype)
    count = g.reshape(g.sum(chosen, op.inputs[1]), kept)
    return math_ops.divide(chosen, count) * grad, None


gradient_of("Max")(_min_or_max)
gradient_of("Min")(_min_or_max)


@gradient_of("Prod")
def _prod(op: Any, grad: Any) -> Any:
    x = op.inputs[0]
    input_shape = shape(x)
    axes = g.reshape(op.inputs[1], [-1])
    kept = _kept_shape_of(op) if executing_eagerly() else _kept_shape(input_shape, op.inputs[1])
    repeats = _repeats(input_shape, kept)
    grad = g.tile(g.reshape(grad, kept), repeats)
    # Moves the reduced dimensions to the front, merged into one; then computes the product of all other elements of
    # each slice, without division by zeros.
    with device("/cpu:0"):
        ndims = rank(x)
        reduced = math_ops.cast((axes + ndims) % ndims, dtypes.int32)
        others, _ = g.list_diff(math_ops.range(0, ndims), reduced)
        permutation = array_ops.concat([reduced, others], 0)
        reduced_size = math_ops.reduce_prod(array_ops.gather(input_shape, reduced))
        other_size = math_ops.reduce_prod(array_ops.gather(input_shape, others))
    permuted = array_ops.transpose(x, permutation)
    dims, static_axes = known_shape(x), constant_value(op.inputs[1])
    if dims is not None and static_axes is not None:
        first = [int(axis) % len(dims) for axis in static_axes.reshape(-1)]
        permuted.set_shape([dims[i] for i in [*first, *(i for i in range(len(dims)) if i not in first)]])
    permuted_shape = shape(permuted)
    flat = g.reshape(permuted, (reduced_size, other_size))
    left = math_ops.cumprod(flat, axis=0, exclusive=True)
    right = math_ops.cumprod(flat, axis=0, exclusive=True, reverse=True)
    y = g.reshape(conj(left) * conj(right), permuted_shape)
    out = grad * array_ops.transpose(y, g.invert_permutation(permutation))
    return g.reshape(out, input_shape), None


@gradient_of("L2Loss")
def _l2_loss(op: Any, grad: Any) -> Any:
    return op.inputs[0] * grad
