"""Saveable objects: the tensors that savers write under names, and how they are restored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import device
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops.array.shape_ops import reshape
from tinytf._src.ops.state import state_ops
from tinytf._src.variables.resource_variable import ResourceVariable


class SaveSpec:
    """One tensor of a checkpoint.

    Args:
      tensor: the tensor to write, or a function that returns it.
      slice_spec: the slice of a whole variable, as in `SaveSliceInfo.spec`; '': all.
      name: its name in the checkpoint.
      dtype, device: of the tensor; required for a function.
    """

    def __init__(self, tensor: Any, slice_spec: str, name: str, dtype: Any = None, device: str | None = None) -> None:
        self._tensor = tensor
        self.slice_spec = slice_spec
        self.name = name
        if not callable(tensor):
            dtype, device = tensor.dtype, tensor.device
        elif dtype is None or device is None:
            raise AssertionError(
                "When passing a callable `tensor` to a SaveSpec, an explicit dtype and device must be provided."
            )
        self.dtype: Any = dtype
        self.device: Any = device

    @property
    def tensor(self) -> Any:
        """The tensor to write; a function is called at each access."""
        return self._tensor() if callable(self._tensor) else self._tensor


class SaveableObject:
    """Tensors that are saved and restored together. Subclasses implement `restore`, unless savers do not restore them.

    Args:
      op: the owner of the state, for example a variable.
      specs: the `SaveSpec`s of the tensors, all on one device.
      name: name of the object in messages.
    """

    is_restored_apart = False  # whether savers write the object, and others restore it

    def __init__(self, op: Any, specs: Sequence[Any], name: str) -> None:
        self.op = op
        self.specs: Any = specs
        self.name = name

    @property
    def optional_restore(self) -> bool:
        """Whether checkpoints may lack it."""
        return False

    @property
    def device(self) -> str:
        """The device of the tensors."""
        return self.specs[0].device

    def restore(self, restored_tensors: Sequence[Any], restored_shapes: Sequence[Any] | None) -> Any:
        """Returns the operation that restores the object.

        Args:
          restored_tensors: one for each of `specs`.
          restored_shapes: shapes to give to the tensors, or None.
        """
        raise ValueError("Calling an abstract method.")


class ReferenceVariableSaveable(SaveableObject):
    """A reference variable, or its reference tensor."""

    def __init__(self, var: Any, slice_spec: str, name: str) -> None:
        super().__init__(var, [SaveSpec(var, slice_spec, name, dtype=var.dtype)], name)

    def restore(self, restored_tensors: Sequence[Any], restored_shapes: Sequence[Any] | None) -> Any:
        """Returns an assignment. If shapes are given, the variable's shape is not checked."""
        value = _reshaped(restored_tensors[0], restored_shapes)
        checked = restored_shapes is None and self.op.get_shape().is_fully_defined()
        return state_ops.assign(self.op, value, validate_shape=checked)


class ResourceVariableSaveable(SaveableObject):
    """A resource variable, or a tensor that reads one."""

    def __init__(self, var: Any, slice_spec: str, name: str) -> None:
        self._var_device = var.device
        self._var_shape = var.shape
        if isinstance(var, Tensor):
            self.handle_op = var.op.inputs[0]
            tensor: Any = var
        elif isinstance(var, ResourceVariable):
            self.handle_op = var.handle
            tensor = _reader(var)
        else:
            raise ValueError(f"Saveable is neither a resource variable nor a read operation. Got: {var!r}")
        super().__init__(var, [SaveSpec(tensor, slice_spec, name, dtype=var.dtype, device=var.device)], name)

    def restore(self, restored_tensors: Sequence[Any], restored_shapes: Sequence[Any] | None) -> Any:
        """Returns an assignment on the variable's device. ValueError if the static shape does not fit."""
        value = _reshaped(restored_tensors[0], restored_shapes)
        with device(self._var_device):
            value = convert_to_tensor(gen_ops.identity(value))
            self._var_shape.assert_is_compatible_with(value.shape)
            return gen_ops.assign_variable_op(self.handle_op, value)


def _reshaped(value: Any, shapes: Sequence[Any] | None) -> Any:
    return value if shapes is None else reshape(value, shapes[0])


def _reader(variable: Any) -> Callable[[], Tensor]:
    def read() -> Tensor:
        with device(variable.device):
            value = variable.read_value()
            with device("/device:CPU:0"):
                return gen_ops.identity(value)

    return read
