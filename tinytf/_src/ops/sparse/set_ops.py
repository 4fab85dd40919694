"""The namespace `tf.sets`: set operations along the last dimension of tensors."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor, convert_to_tensor_or_sparse_tensor
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import dtypes

__all__ = ["set_difference", "set_intersection", "set_size", "set_union"]

_ELEMENTS = frozenset(
    (dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16, dtypes.string)
)


@tf_export("sets.size", "sets.set_size")
@called_by_users
def set_size(a: Any, validate_indices: bool = True) -> Tensor:
    """Counts the distinct elements of each set; unsorted indices raise InvalidArgumentError at run time.

    Args:
      a: SparseTensor of integers or strings of rank 2 or more with sorted indices.
      validate_indices: has no effect.

    Returns:
      An int32 tensor of the shape of `a` without its last dimension.

    Raises:
      TypeError: if `a` is not a SparseTensor or has another dtype.
    """
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    if not isinstance(a, SparseTensor):
        raise TypeError(f"Expected `SparseTensor`, got {a}.")
    if a.values.dtype.base_dtype not in _ELEMENTS:
        raise TypeError(f"Invalid dtype {a.values.dtype}.")
    return gen_ops.set_size(a.indices, a.values, a.dense_shape, validate_indices)


@tf_export("sets.intersection", "sets.set_intersection")
@called_by_users
def set_intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """Computes the intersections of the sets of two tensors.

    Args:
      a, b: tensors or SparseTensors of integers or strings, of one dtype, and of one shape except for the last
        dimension. It holds the elements of a set in any order, with repetitions. Indices of SparseTensors must be
        sorted.
      validate_indices: has no effect.

    Returns:
      A SparseTensor with the elements of each set in ascending order.

    Raises:
      TypeError: if the dtypes differ or are not supported.
    """
    a, b, _ = _operands(a, b)
    return _applied(a, b, "intersection", validate_indices)


@tf_export("sets.difference", "sets.set_difference")
@called_by_users
def set_difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """Computes the differences of the sets of two tensors; errors are as in `set_intersection`.

    Args:
      a, b, validate_indices: as in `set_intersection`.
      aminusb: bool, whether `b` is subtracted from `a`; otherwise `a` is subtracted from `b`.

    Returns:
      A SparseTensor with the elements of each set in ascending order.
    """
    a, b, swapped = _operands(a, b)
    if swapped:
        aminusb = not aminusb
    return _applied(a, b, "a-b" if aminusb else "b-a", validate_indices)


@tf_export("sets.union", "sets.set_union")
@called_by_users
def set_union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """Computes the unions of the sets of two tensors; errors are as in `set_intersection`.

    Args:
      a, b, validate_indices: as in `set_intersection`.

    Returns:
      A SparseTensor with the elements of each set in ascending order.
    """
    a, b, _ = _operands(a, b)
    return _applied(a, b, "union", validate_indices)


def _operands(a: Any, b: Any) -> tuple[Any, Any, bool]:
    """Returns both operands as tensors, a dense one before a sparse one, and whether they were swapped."""
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    if a.dtype.base_dtype not in _ELEMENTS:
        raise TypeError(f"'a' invalid dtype {a.dtype}.")
    b = convert_to_tensor_or_sparse_tensor(b, name="b")
    if b.dtype.base_dtype != a.dtype.base_dtype:
        raise TypeError(f"Types don't match, {a.dtype} vs {b.dtype}.")
    if isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
        return b, a, True
    return a, b, False


def _applied(a: Any, b: Any, set_operation: str, validate_indices: bool) -> SparseTensor:
    how = (set_operation, validate_indices)
    if not isinstance(b, SparseTensor):
        return SparseTensor(*gen_ops.dense_to_dense_set_operation(a, b, *how))
    second = (b.indices, b.values, b.dense_shape)
    if not isinstance(a, SparseTensor):
        return SparseTensor(*gen_ops.dense_to_sparse_set_operation(a, *second, *how))
    return SparseTensor(*gen_ops.sparse_to_sparse_set_operation(a.indices, a.values, a.dense_shape, *second, *how))


tf_export("sets").namespace(__doc__)
