"""SparseTensors joined, in other shapes, in parts, and added."""

from __future__ import annotations

import math
from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.constant_op import constant
from tinytf.framework.constant_value import constant_value, constant_value_as_shape
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.name_scope import name_scope
from tinytf.framework.sparse_tensor import SparseTensor, SparseTensorValue, is_sparse
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import dimension_at_index
from tinytf.ops.arguments import renamed
from tinytf.ops.array.gathering import gather, where_v2
from tinytf.ops.array.joining import concat
from tinytf.ops.array.shape_ops import reshape
from tinytf.ops.math.casting import cast
from tinytf.ops.math.reductions import reduce_max

__all__ = ["sparse_add", "sparse_concat", "sparse_reshape", "sparse_retain"]


def converted(value: Any) -> SparseTensor:
    """A SparseTensor, of one or of its value; TypeError of anything else."""
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return value


@tf_export("sparse.add", "sparse_add")
@called_by_users
def sparse_add(a: Any, b: Any, threshold: Any = None, thresh: Any = None) -> Tensor:
    """The sum of a SparseTensor and a tensor of its shape, which may have 5 dimensions at most: a tensor.

    Args:
      a, b: a SparseTensor and a tensor of the same type, in either order.
      threshold, thresh: nothing depends on it.

    TypeError where neither is a SparseTensor, NotImplementedError where both are; InvalidArgumentError when it runs for
    shapes that differ and indices out of range.
    """
    renamed("threshold", threshold, "thresh", thresh)
    if not is_sparse(a) and not is_sparse(b):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if is_sparse(a) and is_sparse(b):
        raise NotImplementedError("The sum of two SparseTensors is not there yet.")
    if is_sparse(b):
        a, b = b, a
    return gen_ops.sparse_tensor_dense_add(a.indices, a.values, a.dense_shape, b)


@tf_export("sparse.concat", "sparse_concat")
@called_by_users
def sparse_concat(
    axis: Any,
    sp_inputs: Any,
    name: str | None = None,
    expand_nonconcat_dim: bool = False,
    concat_dim: Any = None,
    expand_nonconcat_dims: bool | None = None,
) -> SparseTensor:
    """SparseTensors joined along a dimension.

    Args:
      axis: the dimension, an integer; it counts from the end if it is negative. `concat_dim` is its old name.
      sp_inputs: a list or tuple of SparseTensors of one type and rank.
      expand_nonconcat_dim: whether other sizes may differ; the result has the largest. `expand_nonconcat_dims` is another
        name, which cannot be used as this one has a default.

    TypeError for other inputs, ValueError for arguments given twice; InvalidArgumentError for sizes that differ.
    """
    expand = renamed("expand_nonconcat_dims", expand_nonconcat_dims, "expand_nonconcat_dim", expand_nonconcat_dim)
    axis = renamed("axis", axis, "concat_dim", concat_dim)
    if not isinstance(sp_inputs, (list, tuple)):
        raise TypeError("Inputs must be a list or tuple.")
    sparse = [converted(each) for each in sp_inputs]
    if len(sparse) == 1:
        return sparse[0]
    shapes = [each.dense_shape for each in sparse]
    if expand:
        shapes = _as_large_as_the_largest(shapes, axis)
    indices, values, shape = gen_ops.sparse_concat(
        [each.indices for each in sparse], [each.values for each in sparse], shapes, axis, name=name
    )
    known = [constant_value(each) for each in shapes]
    if known and all(each is not None for each in known):
        size = sum(each[axis] for each in known)
        known_shape = known[0].copy()
        known_shape[axis] = size
        shape = convert_to_tensor(known_shape)
    return SparseTensor(indices, values, shape)


def _as_large_as_the_largest(shapes: list[Any], axis: int) -> list[Any]:
    """Shapes with the largest sizes of all but along the axis."""
    largest = reduce_max(concat([reshape(each, [1, -1]) for each in shapes], 0), 0)
    return [
        concat(
            [
                largest[:axis],
                each[-1:] if axis == -1 else each[axis : axis + 1],
                [] if axis == -1 else largest[axis + 1 :],
            ],
            0,
        )
        for each in shapes
    ]


@tf_export("sparse.reshape", "sparse_reshape")
@called_by_users
def sparse_reshape(sp_input: Any, shape: Any, name: str | None = None) -> SparseTensor:
    """The same elements in a SparseTensor of another shape.

    Args:
      sp_input: a SparseTensor.
      shape: a vector of integers, one of which may be -1: it follows from the others.

    ValueError, or InvalidArgumentError when it runs, for a shape of more or less elements; TypeError for what is no
    SparseTensor.
    """
    sp_input = converted(sp_input)
    shape = cast(shape, dtypes.int64)
    with name_scope(name, "SparseReshape", [sp_input]) as scope:
        indices, new_shape = gen_ops.sparse_reshape(sp_input.indices, sp_input.dense_shape, shape, name=scope)
        known = _known_shape(sp_input, shape)
        if known is not None:
            new_shape = constant(known, dtype=dtypes.int64)
        return SparseTensor(indices, gen_ops.identity(sp_input.values), new_shape)


def _known_shape(sp_input: SparseTensor, shape: Tensor) -> list[int] | None:
    """The new shape if it is known, ValueError if it does not fit."""
    wanted = constant_value_as_shape(shape)
    if wanted.ndims is None or not sp_input.shape.is_fully_defined():
        return None
    value = constant_value(shape)
    if value is not None and sum(size == -1 for size in value) > 1:
        raise ValueError(f"At most one dimension can be inferred (-1). Found: {value}")
    sizes = wanted.as_list()
    elements = math.prod(size for size in sp_input.shape.as_list() if size is not None)
    unknown = sizes.count(None)
    if unknown > 1:
        return None
    known = math.prod(size for size in sizes if size is not None)
    missing = elements // known if known else 0
    found = [missing if size is None else size for size in sizes]
    if math.prod(found) != elements:
        raise ValueError(
            f"Cannot reshape a tensor with {elements} elements to shape {sizes} ({math.prod(found)} elements)."
        )
    return found


@tf_export("sparse.retain", "sparse_retain")
@called_by_users
def sparse_retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """The elements of a SparseTensor for which the bool vector `to_retain` is True.

    TypeError for what is no SparseTensor, ValueError for a vector of another length.
    """
    sp_input = converted(sp_input)
    to_retain = convert_to_tensor(to_retain)
    to_retain.shape.assert_has_rank(1)
    values_shape = sp_input.values.shape
    if values_shape.dims is not None:
        values_shape.dims[0].merge_with(dimension_at_index(to_retain.shape, 0))
    kept = reshape(where_v2(to_retain), [-1])
    indices, values = gather(sp_input.indices, kept), gather(sp_input.values, kept)
    return SparseTensor(indices, values, gen_ops.identity(sp_input.dense_shape))
