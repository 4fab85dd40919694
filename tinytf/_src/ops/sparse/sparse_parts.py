"""Concatenation, reshaping, selection and addition of SparseTensors."""

from __future__ import annotations

import math
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor, SparseTensorValue, is_sparse
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value, constant_value_as_shape
from tinytf._src.framework.values.tensor_shape import dimension_at_index
from tinytf._src.ops.arguments import renamed
from tinytf._src.ops.array.gathering import gather, where_v2
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.shape_ops import broadcast_static_shape, reshape
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.reductions import reduce_max

__all__ = ["sparse_add", "sparse_concat", "sparse_reshape", "sparse_retain"]


def converted(value: Any) -> SparseTensor:
    """Returns a SparseTensor for one or for a SparseTensorValue. Raises TypeError for anything else."""
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return value


@tf_export("sparse.add", "sparse_add")
@called_by_users
def sparse_add(a: Any, b: Any, threshold: Any = None, thresh: Any = None) -> Any:
    """Adds two SparseTensors, or a SparseTensor and a dense tensor.

    Indices out of range and different shapes raise InvalidArgumentError at run time.

    Args:
      a, b: two SparseTensors with sorted indices, or one SparseTensor and one tensor of rank 5 at most; of one shape
        and dtype.
      threshold: real scalar; if both are sparse, sums of smaller magnitude are dropped. Defaults to 0.
      thresh: deprecated name of `threshold`.

    Returns:
      A SparseTensor, or a tensor if one operand is dense.

    Raises:
      TypeError: if neither operand is sparse.
      ValueError: if static shapes differ, or if `threshold` is given under both names.
    """
    threshold = renamed("threshold", threshold, "thresh", thresh)
    if not is_sparse(a) and not is_sparse(b):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if is_sparse(a) and is_sparse(b):
        return _sparse_sum(converted(a), converted(b), 0 if threshold is None else threshold)
    if is_sparse(b):
        a, b = b, a
    return gen_ops.sparse_tensor_dense_add(a.indices, a.values, a.dense_shape, b)


def _sparse_sum(a: SparseTensor, b: SparseTensor, threshold: Any) -> SparseTensor:
    threshold = convert_to_tensor(threshold, dtype=a.values.dtype.real_dtype.base_dtype, name="threshold")
    indices, values, shape = gen_ops.sparse_add(
        a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, threshold
    )
    a.get_shape().assert_is_compatible_with(b.get_shape())
    known = broadcast_static_shape(a.get_shape(), b.get_shape())
    return SparseTensor(indices, values, known.as_list() if known.is_fully_defined() else shape)


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
    """Concatenates SparseTensors along a dimension; other sizes that differ raise InvalidArgumentError at run time.

    Args:
      axis: int, the dimension; negative values count from the end.
      sp_inputs: list or tuple of SparseTensors of one dtype and rank.
      name: optional name of the operation.
      expand_nonconcat_dim: bool, whether the other sizes may differ; the result has the largest.
      concat_dim: deprecated name of `axis`.
      expand_nonconcat_dims: another name of `expand_nonconcat_dim`, which always raises ValueError because that has a
        default.

    Returns:
      A SparseTensor.

    Raises:
      TypeError: if `sp_inputs` is not a list or tuple of SparseTensors.
      ValueError: if an argument is given under both names.
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
    """Returns the shapes with all sizes except along `axis` replaced by the largest ones."""
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
    """Reshapes a SparseTensor.

    Args:
      sp_input: SparseTensor.
      shape: integer vector; one element may be -1 and is inferred.
      name: optional name of the operation.

    Returns:
      A SparseTensor with the same values.

    Raises:
      TypeError: if `sp_input` is not a SparseTensor.
      ValueError: if the known numbers of elements differ; otherwise InvalidArgumentError is raised at run time.
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
    """Returns the new shape if it is known statically. Raises ValueError if it does not match."""
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
    """Selects elements of a SparseTensor.

    Args:
      sp_input: SparseTensor with n values.
      to_retain: bool vector [n].

    Returns:
      A SparseTensor of the same shape.

    Raises:
      TypeError: if `sp_input` is not a SparseTensor.
      ValueError: if the length of `to_retain` does not match.
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
