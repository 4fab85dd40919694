"""Low-level building of eager operations: `session.op_builder(type, name)…build()`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf import _core
from tinytf._src.eager.session_use import UsedSession
from tinytf._src.framework.apply.apply_op import checked_attr
from tinytf._src.framework.declarations.op_spec import OpSpec, op_spec
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.device import DeviceSpec
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.eager_tensor import EagerTensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.numpy_compat import asarray_of

# Ops that exist in graphs only: placeholders, reference variables and control flow primitives.
_GRAPH_ONLY = frozenset(
    "Placeholder PlaceholderV2 PlaceholderWithDefault Variable VariableV2 TemporaryVariable Switch Merge Enter Exit "
    "NextIteration LoopCond RefSwitch RefMerge RefEnter RefExit RefNextIteration _Arg _Retval".split()
)


def _invalid(message: str) -> errors_impl.InvalidArgumentError:
    return errors_impl.InvalidArgumentError(None, None, message)


class EagerOperationBuilder:
    """Collects the inputs and attrs of one eager operation; made by `EagerSession.op_builder`.

    Setters return the builder. They and `build` raise SessionClosedError once the session is closed.
    """

    def __init__(self, session: UsedSession, type: str, name: str) -> None:
        if _core.op_def(type) is None:
            raise _invalid(f"There is no op of type '{type}'")
        self._session = session
        self._spec = op_spec(type)
        if type in _GRAPH_ONLY or self._spec.has_ref_input or any(arg.is_ref for arg in self._spec.outputs):
            raise errors_impl.UnimplementedError(
                None, None, f"Op '{type}' can only be used in graphs, not executed eagerly: build it in a tf.Graph."
            )
        self._name = name
        self._inputs: list[Any] = []
        self._attrs: dict[str, Any] = {}
        self._given: dict[str, Any] = {}
        self._device = 0

    def _check_open(self) -> None:
        self._session._check_open()

    def add_input(self, tensor: Any) -> EagerOperationBuilder:
        """Appends an input. InvalidArgumentError for anything but an eager tensor."""
        self._check_open()
        self._inputs.append(_eager(tensor, self._spec, len(self._inputs)))
        return self

    def add_input_list(self, tensors: Any) -> EagerOperationBuilder:
        """Appends an input that is a list of tensors."""
        self._check_open()
        self._inputs.append([_eager(tensor, self._spec, len(self._inputs)) for tensor in tensors])
        return self

    def add_control_input(self, operation: Any) -> EagerOperationBuilder:
        """Does nothing: operations built earlier have been executed already."""
        self._check_open()
        return self

    def set_device(self, device: str) -> EagerOperationBuilder:
        """Sets the device by full or partial name. InvalidArgumentError if it does not exist; with soft placement an
        unknown device type or number means the first device."""
        self._check_open()
        self._device = device_number(
            device, self._session._core.cpu_devices, self._session._settings.allows_soft_placement
        )
        return self

    def set_attr(self, name: str, value: Any) -> EagerOperationBuilder:
        """Sets an attr: string, bytes, int, float, bool, DType, shape, tensor, or a list of one kind.

        InvalidArgumentError for names that the op does not declare; TypeError and ValueError for invalid values.
        """
        self._check_open()
        attr = self._spec.attr_by_name.get(name)
        if attr is None:
            raise _invalid(f"Op '{self._spec.name}' has no attr '{name}'")
        if attr.kind == "tensor":
            value = self._array(value)
        if attr.kind == "list(tensor)":
            raise errors_impl.UnimplementedError(None, None, "Attrs that are lists of tensors are not supported")
        self._attrs[name] = checked_attr(self._spec, attr, value)
        self._given[name] = value
        return self

    def _array(self, value: Any) -> Any:
        """Returns the array of a tensor attr: of the dtype in attr `dtype` if that was set, else of a constant's
        default dtype."""
        if isinstance(value, EagerTensor):
            return value.numpy()
        if isinstance(value, (np.ndarray, np.generic)):
            return value
        known = self._given.get("dtype")
        if known is not None:
            return asarray_of(value, dtypes.as_dtype(known).as_numpy_dtype)
        array = asarray_of(value)
        return array.astype({"int64": np.int32, "float64": np.float32}.get(array.dtype.name, array.dtype), copy=False)

    def build(self) -> EagerOperation:
        """Executes the operation; a safe point before and after. Raises the op's errors."""
        self._check_open()
        session = self._session
        spec = self._spec
        if len(self._inputs) != len(spec.inputs):
            raise _invalid(f"Op '{spec.name}' takes {len(spec.inputs)} inputs, {len(self._inputs)} were added")
        try:
            results = spec.eager.run_in(
                session._core, tuple(self._inputs), self._attrs, self._given, self._name, self._device
            )
        finally:
            session._safe_point()
        return EagerOperation(session, spec, self._name, self._inputs, results)


def _eager(tensor: Any, spec: OpSpec, position: int) -> Any:
    if isinstance(tensor, EagerTensor):
        return tensor
    if isinstance(tensor, Tensor):
        raise _invalid(
            f"Input {position} of eager operation '{spec.name}' is a tensor of a graph, '{tensor.name}': it has no value"
        )
    raise _invalid(f"Input {position} of eager operation '{spec.name}' must be a tensor, not {type(tensor).__name__}")


def device_number(device: str, devices: int, soft: bool = False) -> int:
    """Returns the index of the named CPU device in a session with `devices` of them. InvalidArgumentError if it does
    not exist; with `soft`, 0 for another device type or index."""
    try:
        spec = DeviceSpec.from_string(device)
    except ValueError as e:
        raise _invalid(str(e)) from None
    number = spec.device_index or 0
    is_known = (spec.device_type or "CPU").upper() == "CPU" and number < devices
    if (spec.job or "localhost") != "localhost" or not (is_known or soft):
        known = [f"/job:localhost/replica:0/task:0/device:CPU:{i}" for i in range(devices)]
        raise _invalid(f"{device} unknown device. Available devices: {', '.join(known)}")
    return number if is_known else 0


class EagerOperation:
    """An executed operation. Its name, type and number of outputs stay available after the session is closed."""

    def __init__(self, session: UsedSession, spec: OpSpec, name: str, inputs: list[Any], results: Any) -> None:
        self._session = session
        self._spec = spec
        self._name = name
        self._input_lengths = {
            arg.name: len(given) if arg.is_list else 1 for arg, given in zip(spec.inputs, inputs, strict=True)
        }
        grouped = [] if results is None else [results] if spec.single_output else results
        self._lists = {arg.name: r if arg.is_list else [r] for arg, r in zip(spec.outputs, grouped, strict=True)}
        self._outputs = [tensor for group in self._lists.values() for tensor in group]

    @property
    def name(self) -> str:
        """The name given by the program."""
        return self._name

    @property
    def type(self) -> str:
        """The op's name."""
        return self._spec.name

    @property
    def num_outputs(self) -> int:
        """The number of output tensors."""
        return len(self._outputs)

    def output(self, index: int) -> Any:
        """Returns output number `index`. IndexError if there is none."""
        if not 0 <= index < len(self._outputs):
            raise IndexError(f"Operation '{self._name}' has {len(self._outputs)} outputs, there is none at {index}")
        return self._outputs[index]

    def tensor(self, index: int) -> Any:
        """Returns output number `index` after waiting for its value. A safe point."""
        tensor = self.output(index)
        self._session._safe_point()
        tensor._shape_tuple()
        return tensor

    def shape(self, index: int) -> Any:
        """Returns the shape of output number `index`."""
        return self.output(index).shape

    def dtype(self, index: int) -> Any:
        """Returns the dtype of output number `index`."""
        tensor = self.output(index)
        self._check_open()
        return tensor.dtype

    def output_list(self, name: str) -> list[Any]:
        """Returns the tensors of the declared output `name`. InvalidArgumentError if there is none."""
        self._check_open()
        if name not in self._lists:
            raise _invalid(f"Output list '{name}' of op '{self._spec.name}' not found")
        return list(self._lists[name])

    def output_list_length(self, name: str) -> int:
        """Returns the number of tensors of the declared output `name`."""
        return len(self.output_list(name))

    def input_list_length(self, name: str) -> int:
        """Returns the number of tensors given for the declared input `name`. InvalidArgumentError if there is none."""
        self._check_open()
        if name not in self._input_lengths:
            raise _invalid(f"Input list '{name}' of op '{self._spec.name}' not found")
        return self._input_lengths[name]

    def _check_open(self) -> None:
        self._session._check_open()

    def __repr__(self) -> str:
        return f"<tf.EagerOperation '{self._name}' type={self._spec.name}>"
