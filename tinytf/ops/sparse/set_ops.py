"""The namespace `tf.sets`: sets along the last dimensions of tensors."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.sparse_tensor import SparseTensor, convert_to_tensor_or_sparse_tensor
from tinytf.framework.tensor import Tensor

__all__ = ["set_difference", "set_intersection", "set_size", "set_union"]

_ELEMENTS = frozenset(
    (dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16, dtypes.string)
)


@tf_export("sets.size", "sets.set_size")
@called_by_users
def set_size(a: Any, validate_indices: bool = True) -> Tensor:
    """How many different elements each set holds: int32, of the shape of `a` without its last dimension.

    Args:
      a: a SparseTensor of integers or texts with two dimensions at least, whose indices are in order.
      validate_indices: nothing depends on it; indices out of order are an InvalidArgumentError when it runs.

    TypeError for what is no SparseTensor, and other types of elements.
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
    """What is in the sets of `a` and in those of `b`.

    Args:
      a, b: tensors or SparseTensors of integers or texts, of one type and of one shape but for the last dimension: it
        holds the elements of a set, in any order, repeated or not. Indices of SparseTensors are in order.
      validate_indices: as of `set_size`.

    Returns a SparseTensor, whose elements are in order in each set. TypeError for types that differ or hold no elements of
    sets, ValueError for shapes that do not fit, InvalidArgumentError when it runs for what shows only then.
    """
    a, b, _ = _operands(a, b)
    return _applied(a, b, "intersection", validate_indices)


@tf_export("sets.difference", "sets.set_difference")
@called_by_users
def set_difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """What is in the sets of `a` and not in those of `b`, or the reverse without `aminusb`; else as `set_intersection`."""
    a, b, swapped = _operands(a, b)
    if swapped:
        aminusb = not aminusb
    return _applied(a, b, "a-b" if aminusb else "b-a", validate_indices)


@tf_export("sets.union", "sets.set_union")
@called_by_users
def set_union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """What is in the sets of `a` or in those of `b`; else as `set_intersection`."""
    a, b, _ = _operands(a, b)
    return _applied(a, b, "union", validate_indices)


def _operands(a: Any, b: Any) -> tuple[Any, Any, bool]:
    """Both as tensors, a dense one before a sparse one, and whether they were swapped for that."""
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
