"""Assignments to variables and scatter updates, for reference and resource variables alike."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.framework import dtypes
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import unknown_shape

__all__ = [
    "assign",
    "assign_add",
    "assign_sub",
    "count_up_to",
    "is_variable_initialized",
    "scatter_add",
    "scatter_nd_update",
    "scatter_sub",
    "scatter_update",
]


def variable_op_v2(
    shape: Any, dtype: Any, name: str = "Variable", container: str = "", shared_name: str = ""
) -> Tensor:
    """The reference to a new variable; its shape may be partial."""
    return gen_ops.variable_v2(shape=shape, dtype=dtype, name=name, container=container, shared_name=shared_name)


def is_variable_initialized(ref: Any, name: str | None = None) -> Tensor:
    """Whether the variable has a value: a bool scalar."""
    reference = _reference(ref)
    if reference is not None:
        return gen_ops.is_variable_initialized(ref=reference, name=name)
    return ref.is_initialized(name=name)


def assign(
    ref: Any, value: Any, validate_shape: bool | None = None, use_locking: bool | None = None, name: str | None = None
) -> Any:
    """Gives a variable a value; returns the variable's tensor after the assignment.

    Args:
      ref: a Variable, or a tensor of reference type.
      value: of the variable's dtype and, unless `validate_shape` is False, shape.
    """
    reference = _reference(ref)
    if reference is not None:
        return gen_ops.assign(
            reference,
            value,
            use_locking=use_locking,
            name=name,
            validate_shape=True if validate_shape is None else validate_shape,
        )
    return ref.assign(value, name=name)


def assign_add(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Adds to a variable in place; returns its tensor afterwards."""
    reference = _reference(ref)
    if reference is not None:
        return gen_ops.assign_add(reference, value, use_locking=use_locking, name=name)
    return ref.assign_add(value)


def assign_sub(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Subtracts from a variable in place; returns its tensor afterwards."""
    reference = _reference(ref)
    if reference is not None:
        return gen_ops.assign_sub(reference, value, use_locking=use_locking, name=name)
    return ref.assign_sub(value)


def _scatter(kind: str, ref: Any, indices: Any, updates: Any, use_locking: bool, name: str | None) -> Any:
    reference = _reference(ref)
    if reference is not None:
        return getattr(gen_ops, f"scatter_{kind}")(reference, indices, updates, use_locking=use_locking, name=name)
    handle = ref.handle
    indices = convert_to_tensor(indices, name="indices")
    updates = convert_to_tensor(updates, dtype=ref.dtype)
    return ref._after(getattr(gen_ops, f"resource_scatter_{kind}")(handle, indices, updates, name=name))


def scatter_update(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
    """`ref[indices] = updates` along dimension 0; with repeated indices the last one wins."""
    return _scatter("update", ref, indices, updates, use_locking, name)


def scatter_add(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """`ref[indices] += updates` along dimension 0; repeated indices add up."""
    return _scatter("add", ref, indices, updates, use_locking, name)


def scatter_sub(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """`ref[indices] -= updates` along dimension 0; repeated indices add up."""
    return _scatter("sub", ref, indices, updates, use_locking, name)


def scatter_nd_update(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
    """Replaces slices of a variable at n-dimensional `indices` (shape [..., depth])."""
    reference = _reference(ref)
    if reference is not None:
        return gen_ops.scatter_nd_update(reference, indices, updates, use_locking=use_locking, name=name)
    return ref._after(
        gen_ops.resource_scatter_nd_update(ref.handle, indices, convert_to_tensor(updates, dtype=ref.dtype), name=name)
    )


def count_up_to(ref: Any, limit: int, name: str | None = None) -> Tensor:
    """Increments an integer scalar variable and returns its value before; OutOfRange at `limit`."""
    return gen_ops.count_up_to(_reference(ref), limit=limit, name=name)


def _reference(ref: Any) -> Any:
    """`ref` as something a reference input takes, or None for a resource variable."""
    dtype = getattr(ref, "dtype", None)
    return ref if isinstance(dtype, dtypes.DType) and dtype._is_ref_dtype else None


def shape_or_unknown(shape: Any, validate: bool) -> Any:
    """The shape a variable is declared with."""
    return shape if validate else unknown_shape()
