"""Slot variables: additional state that an optimizer or a moving average keeps for a variable and names after it."""

from __future__ import annotations

import contextlib
from typing import Any

from tinytf._src.framework.scopes.name_scope import colocate_with
from tinytf._src.framework.values.tensor_shape import as_shape
from tinytf._src.ops import array_ops
from tinytf._src.variables import initializers
from tinytf._src.variables import scope as variable_scope
from tinytf._src.variables.ref_variable import RefVariable
from tinytf._src.variables.resource_variable import ResourceVariable
from tinytf._src.variables.variable import Variable


def _name(primary: Any) -> str:
    return primary._shared_name if isinstance(primary, Variable) else primary.op.name


def _variable(primary: Any, initial: Any, validate_shape: bool, shape: Any, dtype: Any) -> Any:
    """Creates the variable of the current scope, of the kind of `primary` and never partitioned."""
    use_resource = (
        True if isinstance(primary, ResourceVariable) else False if isinstance(primary, RefVariable) else None
    )
    scope = variable_scope.get_variable_scope()
    partitioner = scope.partitioner
    scope.set_partitioner(None)
    try:
        # With an empty name the variable is named after the scope.
        slot = variable_scope.get_variable(
            "",
            initializer=initial,
            trainable=False,
            use_resource=use_resource,
            shape=shape,
            dtype=dtype,
            validate_shape=validate_shape,
        )
    finally:
        scope.set_partitioner(partitioner)
    info = primary._get_save_slice_info() if isinstance(primary, Variable) else None
    if info is not None:
        _mark_as_partition(slot, _name(slot).removeprefix(_name(primary) + "/"), info)
    return slot


def _mark_as_partition(slot: Any, name: str, info: Any) -> None:
    """Marks the slot of a partition as the same partition of a slot `name` of the whole variable.

    A slot may have only the leading dimensions of the variable; a scalar is not partitioned.
    """
    rank = slot.shape.ndims
    if rank is None or rank > 0:
        slot._set_save_slice_info(
            Variable.SaveSliceInfo(
                f"{info.full_name}/{name}", info.full_shape[:rank], info.var_offset[:rank], info.var_shape[:rank]
            )
        )


def _create(
    primary: Any, initial: Any, validate_shape: bool, shape: Any, dtype: Any, name: str, colocate_with_primary: bool
) -> Any:
    with variable_scope.variable_scope(None, _name(primary) + "/" + name):
        with colocate_with(primary) if colocate_with_primary else contextlib.nullcontext():
            return _variable(primary, initial, validate_shape, shape, dtype)


def create_slot(primary: Any, val: Any, name: str, colocate_with_primary: bool = True) -> Any:
    """Creates an untrainable variable `{primary}/{name}` with the initial value `val`.

    Args:
      primary: Variable or Tensor that the slot belongs to.
      val: tensor, the initial value.
      name: str, name of the slot.
      colocate_with_primary: bool, whether both are placed on one device.
    """
    return _create(primary, val, val.get_shape().is_fully_defined(), None, None, name, colocate_with_primary)


def create_slot_with_initializer(
    primary: Any, initializer: Any, shape: Any, dtype: Any, name: str, colocate_with_primary: bool = True
) -> Any:
    """Does the same as `create_slot` with an initializer, which is called with `shape` and `dtype`."""
    shape = as_shape(shape)
    return _create(primary, initializer, shape.is_fully_defined(), shape, dtype, name, colocate_with_primary)


def create_zeros_slot(primary: Any, name: str, dtype: Any = None, colocate_with_primary: bool = True) -> Any:
    """Does the same as `create_slot` with zeros in the shape of `primary`; `dtype` defaults to that of `primary`."""
    dtype = (primary.dtype if dtype is None else dtype).base_dtype
    shape = primary.get_shape()
    if shape.is_fully_defined():
        initializer = initializers.zeros_initializer(dtype)
        return create_slot_with_initializer(primary, initializer, shape, dtype, name, colocate_with_primary)
    model = primary.initialized_value() if isinstance(primary, Variable) else primary
    return create_slot(primary, array_ops.zeros(array_ops.shape(model), dtype=dtype), name, colocate_with_primary)
