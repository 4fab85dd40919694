"""`tf.Variable`: the base class of reference and resource variables."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from tinytf._src.exports import named, tf_export
from tinytf._src.framework.errors.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf._src.framework.graph.default_graph import get_default_graph, get_default_session
from tinytf._src.framework.graph.no_copies import NotCopied
from tinytf._src.framework.graph.tensor import OVERLOADABLE_OPERATORS, Tensor
from tinytf._src.framework.resources.trackable import VARIABLE_VALUE, Trackable
from tinytf._src.framework.scopes.init_scope import init_scope, lifted_devices
from tinytf._src.framework.scopes.name_scope import add_to_collections, control_dependencies, name_scope
from tinytf._src.framework.tensors import conversion
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.reference import Reference
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape
from tinytf._src.ops import operators as operators  # installs the operators in Tensor that variables copy
from tinytf._src.ops.array.slicing import slice_helper_var
from tinytf._src.ops.state.state_ops import is_variable_initialized
from tinytf._src.variables.exported_variable import ExportedVariable
from tinytf._src.variables.modes import VariableAggregation, VariableSynchronization, checked_modes
from tinytf._src.variables.save_slice_info import SaveSliceInfo
from tinytf._src.variables.support import collection_names, colocated_with_name, made_initial_value
from tinytf._src.variables.updates import VariableUpdates


class _VariableMeta(type):
    """Makes `Variable(…)` return a RefVariable or a ResourceVariable, as chosen by `_maker`, which `creation` sets."""

    _for_mode: Any
    _maker: Any

    @called_by_users
    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is not Variable:
            return type.__call__(cls._for_mode(), *args, **kwargs)
        return _VariableMeta._maker(*args, **kwargs)


if TYPE_CHECKING:
    from tinytf._src.framework.graph.operation import Operation
    from tinytf._src.framework.graph.type_hints import VariableMethods as _Methods

    _Meta = type  # for type checkers, the constructor returns the class itself
else:
    _Methods, _Meta = object, _VariableMeta


def choose_variables_by(maker: Callable[..., Any]) -> None:
    """Sets the function that implements `Variable(…)`."""
    _VariableMeta._maker = staticmethod(maker)


@tf_export("Variable")
@named("VariableV1")
class Variable(VariableUpdates, NotCopied, Trackable, _Methods, metaclass=_Meta):
    """A tensor that keeps its value between runs of a session, until the session is closed.

    In graph mode, it must be initialized before it is read: run its `initializer` or
    `tf.global_variables_initializer()`. In expressions it behaves like a Tensor.

    Args:
      initial_value: Tensor, value that can be converted to one, or function without arguments that returns one.
      trainable: bool, whether optimizers update it by default (collection TRAINABLE_VARIABLES). None means True, unless
        `synchronization` is ON_READ.
      collections: list of collections to join; None means GLOBAL_VARIABLES.
      validate_shape: bool; False allows values of any shape.
      caching_device: device that keeps a copy of the value for reads.
      name: str; None means "Variable".
      variable_def: `VariableDef` message; finds the variable's operations in the graph instead of creating them.
      dtype: element type to which the initial value is converted.
      expected_shape: ignored.
      import_scope: str, name scope prepended to the names in `variable_def`.
      constraint: callable that projects the value after an optimizer's update.
      use_resource: bool, whether to create a resource variable; None means the default of the scope or process.
      synchronization, aggregation: stored without effect.
      shape: static shape to declare; None means the shape of `initial_value`.

    Raises:
      ValueError: if not exactly one of `initial_value` and `variable_def` is given, if `initial_value` is a tensor
        inside a loop or branch, or, for reference variables, if its shape is unknown and `validate_shape` is True.

    Example:
      v = tf.Variable(0.0, name="v")
      increment = v.assign_add(1.0)
    """

    _is_dense_tensor_like = True
    __array_priority__ = 100
    # Whether an initial value that is not a function is also created in the scope "Initializer", colocated with the
    # variable.
    _INITIALIZER_SCOPE = True

    SaveSliceInfo = SaveSliceInfo
    _COPIED_AS = "Variable"

    _variable: Any  # tensor of the variable's own operation: a reference or a handle
    _initial_value: Any
    _guarded_value: Any = None  # the initial value that the initializer assigns, for variables created here
    _initializer_op: Any

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
        self._constraint = constraint
        self._save_slice_info: Any = None
        self._graph_key = get_default_graph()
        if variable_def is not None:
            if initial_value is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            self._caching_device = None
            self._find(variable_def, import_scope)
            return
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        self._synchronization, self._aggregation, self._trainable = checked_modes(
            synchronization, aggregation, trainable, name
        )
        # Validates all arguments before the variable's name is taken.
        joined = collection_names(collections, self._trainable)
        self._caching_device = caching_device
        from_function = callable(initial_value)
        beside = from_function or self._INITIALIZER_SCOPE
        if dtype is not None:
            dtype = dtypes.as_dtype(dtype)
        with (
            control_dependencies(None),
            lifted_devices(),
            name_scope(name, "Variable", [] if from_function else [initial_value]) as scope,
        ):
            self._initial_value = made_initial_value(initial_value, dtype, scope, beside)
            declared = self._initial_value.get_shape() if shape is None else as_shape(shape)
            with colocated_with_name(scope[:-1]) if beside else nullcontext():
                self._variable = self._declare(scope, declared, validate_shape)
            self._add_operations(validate_shape)
        add_to_collections(joined, self)

    @classmethod
    def _for_mode(cls) -> type:
        """The class of the instances that this class's constructor creates."""
        return cls

    # -- Differences between the kinds --------------------------------------------------------------------------------

    def _declare(self, name: str, shape: TensorShape, validate_shape: bool) -> Tensor:
        """Creates the operation `name` that represents the variable; returns its tensor."""
        raise NotImplementedError

    def _add_operations(self, validate_shape: bool) -> None:
        """Creates the operations that initialize and read the variable, in its name scope."""
        raise NotImplementedError

    def _adopt_snapshot(self, snapshot: Tensor) -> None:
        """Sets the tensor that readers use, in an existing graph; `_variable` is set already."""
        raise NotImplementedError

    def _snapshot_tensor(self) -> Tensor:
        """The tensor that readers use, which `_adopt_snapshot` sets."""
        raise NotImplementedError

    def _as_graph_element(self) -> Any:
        raise NotImplementedError

    def _ref(self) -> Any:
        raise NotImplementedError

    def value(self) -> Any:
        """The Tensor that readers of the variable use."""
        raise NotImplementedError

    @property
    def dtype(self) -> dtypes.DType:
        """The element type, a DType."""
        raise NotImplementedError

    @property
    def shape(self) -> Any:
        """The static TensorShape."""
        raise NotImplementedError

    # -- Exchange as VariableDef messages -----------------------------------------------------------------------------

    def _find(self, variable_def: Any, import_scope: str | None) -> None:
        """Finds the operations named in the message in the default graph. Raises KeyError if one is missing."""
        found = ExportedVariable.found(variable_def, import_scope)
        self._variable = found.variable
        self._initializer_op = found.initializer
        self._initial_value = found.initial_value
        self._synchronization = found.synchronization
        self._aggregation = found.aggregation
        self._trainable = found.trainable
        self._save_slice_info = found.save_slice_info
        self._adopt_snapshot(found.snapshot)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Serializes the variable's names.

        Args:
          export_scope: str, name scope removed from the names; None keeps full names.

        Returns:
          `VariableDef` message; None if the variable is not in `export_scope`.
        """
        return ExportedVariable(
            self._variable,
            self._initializer_op,
            self._initial_value,
            self._synchronization,
            self._aggregation,
            self._trainable,
            self._snapshot_tensor(),
            self._save_slice_info,
        ).to_proto(export_scope)

    @staticmethod
    def from_proto(variable_def: Any, import_scope: str | None = None) -> Any:
        """Creates the Python object for a variable whose operations are in the default graph already. It joins no
        collection.

        Args:
          variable_def: `VariableDef` message.
          import_scope: str, name scope prepended to the names in the message.

        Returns:
          Variable.

        Raises:
          TypeError: if `variable_def` is not a VariableDef.
          KeyError: if an operation is missing.
        """
        return Variable(variable_def=variable_def, import_scope=import_scope)

    # -- Members common to both kinds ---------------------------------------------------------------------------------

    @property
    def trainable(self) -> bool:
        """Whether optimizers update the variable by default."""
        return self._trainable

    @property
    def constraint(self) -> Any:
        """The callable that projects the value after an optimizer's update, or None."""
        return self._constraint

    @property
    def initial_value(self) -> Any:
        """The Tensor that the initializer assigns."""
        return self._initial_value

    @property
    def initializer(self) -> Operation:
        """The Operation that initializes the variable."""
        return self._initializer_op

    @property
    def synchronization(self) -> VariableSynchronization:
        """The synchronization mode of replicas, stored without effect."""
        return self._synchronization

    @property
    def aggregation(self) -> VariableAggregation:
        """The aggregation mode of replicas, stored without effect."""
        return self._aggregation

    @property
    def name(self) -> str:
        """The name of the reference or handle, such as "v:0"."""
        return self._variable.name

    @property
    def _shared_name(self) -> str:
        return self._variable.op.name

    @property
    def op(self) -> Operation:
        """The variable's own Operation, a VariableV2 or VarHandleOp."""
        return self._variable.op

    @property
    def device(self) -> str:
        """The requested device of the variable, or ""."""
        return self._variable.device

    @property
    def graph(self) -> Any:
        """The Graph that contains the variable."""
        return self._variable.graph

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def get_shape(self) -> Any:
        """The static TensorShape."""
        return self.shape

    def _shape_tuple(self) -> Any:
        dims = self.shape.dims
        return None if dims is None else tuple(d.value for d in dims)

    def eval(self, session: Any = None, feed_dict: Any = None) -> Any:
        """Evaluates the variable.

        Args:
          session: Session; None means the default session.
          feed_dict: dict of fed values, as for `Session.run`.

        Returns:
          numpy array.

        Raises:
          ValueError: if there is no default session, or the session has another graph.
        """
        return self._as_graph_element().eval(session=session, feed_dict=feed_dict)

    def load(self, value: Any, session: Any = None) -> None:
        """Assigns a value in a session, without adding operations to the graph.

        Args:
          value: array or value of the variable's shape.
          session: Session; None means the default session.

        Raises:
          ValueError: if there is no session.
        """
        session = session or get_default_session()
        if session is None:
            raise ValueError("Either session argument should be provided or default session should be established")
        session.run(self.initializer, {self.initializer.inputs[1]: value})

    def set_shape(self, shape: Any) -> None:
        """Refines the static shapes of the variable and of its value.

        Args:
          shape: TensorShape or a value that it accepts.

        Raises:
          ValueError: if the shapes are incompatible.
        """
        self._ref().set_shape(shape)
        self.value().set_shape(shape)

    def initialized_value(self) -> Tensor:
        """A Tensor with the variable's value if it is initialized at run time, else its initial value.

        Use it in initial values of other variables: one run then initializes chains of variables in any order.
        """
        from tinytf._src.ops.control_flow.conditional import cond  # programs without branches need not load it

        with init_scope():
            guarded = self._initial_value if self._guarded_value is None else self._guarded_value
            return cond(is_variable_initialized(self), self.read_value, lambda: guarded)

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        """The variable's value is its only saveable attribute."""
        return {VARIABLE_VALUE: self}

    def _set_save_slice_info(self, info: Any) -> None:
        self._save_slice_info = info

    def _get_save_slice_info(self) -> Any:
        return self._save_slice_info

    def __iter__(self) -> Any:
        raise TypeError("'Variable' object is not iterable.")

    def experimental_ref(self) -> Reference:
        """A hashable reference for dictionaries and sets; its method `deref()` returns the variable."""
        return Reference(self)

    def __copy__(self) -> Variable:
        return self

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(
            f"Cannot convert a variable of a graph ({self.name}) to a numpy array: it only has a value in a session. Use "
            "session.run(variable) or variable.eval()."
        )

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: Any) -> bool:
        return self is other

    def __ne__(self, other: Any) -> bool:
        return self is not other

    @classmethod
    def _overload_operators(cls) -> None:
        """Installs Tensor's operators in variables, applied to the value."""
        for operator in OVERLOADABLE_OPERATORS:
            function = getattr(Tensor, operator, None)
            if function is not None:
                setattr(cls, operator, _on_value(function))
        setattr(cls, "__getitem__", slice_helper_var)  # noqa: B010


def _on_value(function: Any) -> Any:
    def run_op(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return function(self._AsTensor(), *args, **kwargs)
        except REPORTED:
            leave_to_user()
            raise

    run_op.__doc__ = function.__doc__
    run_op.__name__, run_op.__module__ = function.__name__, function.__module__
    return run_op


def _convert_variable(value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    return value._convert(dtype, name, as_ref)


Variable._overload_operators()
conversion.register_tensor_conversion_function(Variable, _convert_variable, 90)
