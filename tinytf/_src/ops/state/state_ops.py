"""Assignments to reference and resource variables."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values.tensor_shape import unknown_shape
from tinytf._src.ops.state.scatter_updates import reference_of


def variable_op_v2(
    shape: Any, dtype: Any, name: str = "Variable", container: str = "", shared_name: str = ""
) -> Tensor:
    """Creates a reference variable, whose shape may be partial, and returns the reference."""
    return gen_ops.variable_v2(shape=shape, dtype=dtype, name=name, container=container, shared_name=shared_name)


@called_by_users
def is_variable_initialized(ref: Any, name: str | None = None) -> Tensor:
    """Returns a bool scalar: whether the variable has a value."""
    reference = reference_of(ref)
    if reference is not None:
        return gen_ops.is_variable_initialized(ref=reference, name=name)
    return ref.is_initialized(name=name)


@tf_export("assign")
@called_by_users
def assign(
    ref: Any, value: Any, validate_shape: bool | None = None, use_locking: bool | None = None, name: str | None = None
) -> Any:
    """Assigns a value to a variable.

    Args:
      ref: Variable or tensor of reference dtype.
      value: tensor of the variable's dtype.
      validate_shape: optional bool, whether `value` must have the shape of the variable; defaults to True.
      use_locking: optional bool, whether a reference variable is locked during the assignment.
      name: optional name of the operation.

    Returns:
      The variable's tensor after the assignment.
    """
    reference = reference_of(ref)
    if reference is not None:
        return gen_ops.assign(
            reference,
            value,
            use_locking=use_locking,
            name=name,
            validate_shape=True if validate_shape is None else validate_shape,
        )
    return ref.assign(value, name=name)


@tf_export("assign_add")
@called_by_users
def assign_add(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Adds a value to a variable in place.

    Args:
      ref, value, use_locking, name: as in `assign`.

    Returns:
      The variable's tensor after the assignment.
    """
    reference = reference_of(ref)
    if reference is not None:
        return gen_ops.assign_add(reference, value, use_locking=use_locking, name=name)
    return ref.assign_add(value)


@tf_export("assign_sub")
@called_by_users
def assign_sub(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Subtracts a value from a variable in place.

    Args:
      ref, value, use_locking, name: as in `assign`.

    Returns:
      The variable's tensor after the assignment.
    """
    reference = reference_of(ref)
    if reference is not None:
        return gen_ops.assign_sub(reference, value, use_locking=use_locking, name=name)
    return ref.assign_sub(value)


@tf_export("count_up_to")
@called_by_users
def count_up_to(ref: Any, limit: int, name: str | None = None) -> Tensor:
    """Increments an integer scalar variable; at the limit OutOfRangeError is raised at run time.

    Args:
      ref: int32 or int64 scalar Variable, or tensor of reference dtype.
      limit: int.
      name: optional name of the operation.

    Returns:
      The value before the increment.
    """
    reference = reference_of(ref)
    if reference is not None:
        return gen_ops.count_up_to(reference, limit=limit, name=name)
    return gen_ops.resource_count_up_to(ref.handle, limit=limit, T=ref.dtype, name=name)


def shape_or_unknown(shape: Any, validate: bool) -> Any:
    """Returns the declared shape of a variable: unknown if it is not validated."""
    return shape if validate else unknown_shape()
