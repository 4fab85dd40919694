"""`EagerVariable`: a resource variable in eager mode, which has its value from the start."""

from __future__ import annotations

import itertools
import operator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NoReturn

from tinytf import _core
from tinytf._gen import gen_ops
from tinytf._src.framework.apply.apply_op import execute_op
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.resources.handle_data import note_handle
from tinytf._src.framework.resources.resource_deleter import ResourceDeleter
from tinytf._src.framework.resources.trackable import CheckpointInitialValue
from tinytf._src.framework.resources.variable_watch import accessed, accessed_in_graph
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.tensors.eager_tensor import shown_value
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import as_shape
from tinytf._src.ops.operators import read_at_once
from tinytf._src.variables.made_variables import made
from tinytf._src.variables.modes import checked_modes
from tinytf._src.variables.resource_variable import ResourceVariable
from tinytf._src.variables.support import collection_names

_READ = op_spec("ReadVariableOp")
_HANDLE = op_spec("VarHandleOp")
_any_tape = _core.any_tape
_ANONYMOUS = "cd2c89b7-88b7-44c8-ad83-06c2a9158347"  # TensorFlow's shared name of handles that are not shared
_NO_SCOPE = nullcontext()
_count = itertools.count()  # distinguishes variables of the same name


def _graph_only(what: str, text: str) -> property:
    def refuse(self: Any) -> NoReturn:
        raise RuntimeError(text)

    return property(refuse, doc=f"{what}. Only for variables in graphs; raises RuntimeError.")


class EagerVariable(ResourceVariable):
    """A variable in eager mode; see Variable. Assignments take effect immediately and return the variable, or None if
    `read_value` is False.

    It joins no collection but GLOBAL_STEP, so that it lives only as long as the program refers to it. `caching_device`
    is ignored. Gradient tapes record reads of trainable variables.
    """

    _in_graph_mode = False

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        expected_shape: Any = None,
        import_scope: str | None = None,
        constraint: Any = None,
        use_resource: bool | None = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
    ) -> None:
        if variable_def is not None:
            if initial_value is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            raise ValueError(
                "Creating ResourceVariable from variable_def is not supported when eager execution is enabled."
            )
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        self._synchronization, self._aggregation, self._trainable = checked_modes(
            synchronization, aggregation, trainable, name
        )
        joined = collection_names(collections, self._trainable)
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        self._constraint = constraint
        self._save_slice_info: Any = None
        self._graph_key = get_default_graph()
        with name_scope(name, "Variable") as scope:
            with name_scope("Initializer"):
                value = initial_value() if callable(initial_value) else initial_value
                if isinstance(value, CheckpointInitialValue):
                    self._update_uid = value.checkpoint_position.restore_uid
                    value = value.wrapped_value
                if not isinstance(value, TensorSpec):  # a spec means that the value is assigned later
                    value = convert_to_tensor(value, name="initial_value", dtype=dtype)
        self._handle_name = scope[:-1] + ":0"
        self._unique_id = f"{scope[:-1]}_{next(_count)}"
        self._dtype = value.dtype
        self._declared_shape = value.shape if shape is None else as_shape(shape)
        attrs = {
            "dtype": self._dtype,
            "shape": self._declared_shape,
            "shared_name": _ANONYMOUS,
            "container": "",
        }
        self._variable = execute_op(_HANDLE, self._handle_name[:-2], (), attrs)
        self._deleter = ResourceDeleter(self._variable)
        self._read_inputs = (self._variable,)
        self._read_attrs = {"dtype": self._dtype}
        note_handle(self._variable, self._dtype, self._declared_shape)
        if not isinstance(value, TensorSpec):
            gen_ops.assign_variable_op(self._variable, value)
        if GraphKeys.GLOBAL_STEP in joined:
            get_default_graph().add_to_collection(GraphKeys.GLOBAL_STEP, self)
        made(self)

    # -- Properties ---------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name with its name scope, "v:0"; not necessarily unique."""
        return self._handle_name

    @property
    def _shared_name(self) -> str:
        return self._handle_name[:-2]

    @property
    def initializer(self) -> Any:
        """None: eager variables are always initialized."""
        return None

    create = _graph_only("The initializer operation", "Calling create in EAGER mode not supported.")
    initial_value = _graph_only("The initial value", "initial_value not supported in EAGER mode.")

    def initialized_value(self) -> Tensor:
        """The current value, as a Tensor."""
        return self.read_value()

    def set_shape(self, shape: Any) -> None:
        """Refines the declared shape. Raises ValueError if `shape` is incompatible with it."""
        self._declared_shape = self._declared_shape.merge_with(shape)
        note_handle(self._variable, self._dtype, self._declared_shape)

    def __repr__(self) -> str:
        text = f"<tf.Variable '{self.name}' shape={self.shape} dtype={self._dtype.name}"
        if not executing_eagerly():
            return f"{text}>"
        return f"{text}, numpy={shown_value(self._current().numpy())}>"

    def to_proto(self, export_scope: str | None = None) -> NoReturn:
        """Raises RuntimeError: only variables in graphs can be serialized."""
        raise RuntimeError("to_proto not supported in EAGER mode.")

    def eval(self, session: Any = None, feed_dict: Any = None) -> NoReturn:
        """Raises RuntimeError: only variables in graphs are evaluated by sessions."""
        raise RuntimeError("Trying to eval in EAGER mode")

    def load(self, value: Any, session: Any = None) -> None:
        """Assigns `value`; `session` is ignored."""
        self.assign(value)

    def __deepcopy__(self, memo: dict[int, Any]) -> EagerVariable:
        copy = EagerVariable(
            self.read_value(),
            trainable=self._trainable,
            constraint=self._constraint,
            name=self._shared_name + "_copy",
            synchronization=self._synchronization,
            aggregation=self._aggregation,
        )
        memo[id(self)] = copy
        return copy

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.__reduce__()  # unlike variables in graphs, it can be pickled

    def __reduce__(self) -> Any:
        return _rebuilt, (self.numpy(), self._trainable, self._shared_name, self._dtype.name, self._constraint)

    # -- Reading ------------------------------------------------------------------------------------------------------

    def _current(self) -> Any:
        """The current value, without notifying the watchers of tapes."""
        value = _READ.call_eagerly(self._read_inputs, self._read_attrs, None)
        if value is NotImplemented:  # first read of this type
            value = execute_op(_READ, None, self._read_inputs, self._read_attrs)
        return value

    def value(self) -> Any:
        """The current value as a Tensor, which later assignments do not change. In the graph of a function, a read that
        is executed when the function runs; RuntimeError in other graphs."""
        if not executing_eagerly():
            return ResourceVariable._read(self)
        if _any_tape() and self._trainable:
            accessed(self)
        return self._current()

    read_value = _AsTensor = _read = value

    def numpy(self) -> Any:
        """The value as a read-only numpy array, which later assignments do not change. Raises NotImplementedError in
        graph mode."""
        if not executing_eagerly():
            raise NotImplementedError("numpy() is only available when eager execution is enabled.")
        return self._current().numpy()

    def _note_read(self) -> None:
        if not executing_eagerly():
            accessed_in_graph(self)
        elif _any_tape() and self._trainable:
            accessed(self)

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """Gathers slices of the value at `indices` along dimension 0, without reading the whole value."""
        self._note_read()
        return gen_ops.resource_gather(self._variable, indices, dtype=self._dtype, name=name)

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """Gathers slices of the value at multi-dimensional `indices`, without reading the whole value."""
        self._note_read()
        return gen_ops.resource_gather_nd(self._variable, indices, dtype=self._dtype, name=name)

    def _as_graph_element(self) -> Any:
        return self.value()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self._current().__array__(dtype, copy)

    def __bool__(self) -> bool:
        return bool(self.value())

    def __int__(self) -> int:
        return int(self.value())

    def __float__(self) -> float:
        return float(self.value())

    def __complex__(self) -> complex:
        return complex(self.value())

    def __index__(self) -> int:
        return self.value().__index__()

    # -- Updates ------------------------------------------------------------------------------------------------------

    def _after(self, op: Any) -> Any:
        return self

    def _building(self) -> AbstractContextManager[None]:
        return _NO_SCOPE  # it belongs to no graph

    _updating = _building


def _rebuilt(value: Any, trainable: bool, name: str, dtype: str, constraint: Any) -> EagerVariable:
    return EagerVariable(value, trainable=trainable, name=name, dtype=dtypes.as_dtype(dtype), constraint=constraint)


def _on_values(function: Any) -> tuple[Any, Any]:
    """The methods for `variable op other` and `other op variable`, based on the engine's operators of eager tensors."""

    def method(self: EagerVariable, other: Any) -> Any:
        return function(self.value(), other.value() if type(other) is EagerVariable else other)

    def reflected(self: EagerVariable, other: Any) -> Any:
        return function(other, self.value())

    return method, reflected


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    _method, _reflected = _on_values(getattr(operator, _name))
    setattr(EagerVariable, f"__{_name}__", _method)
    setattr(EagerVariable, f"__r{_name}__", _reflected)

read_at_once(EagerVariable)
