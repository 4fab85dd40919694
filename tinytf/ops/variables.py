"""`tf.Variable`: what reference and resource variables share, which of them is made, and the variable collections."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

import numpy as np

from tinytf.framework import conversion
from tinytf.framework.graph import get_default_graph
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import OVERLOADABLE_OPERATORS, Tensor
from tinytf.ops import control_flow_ops
from tinytf.ops.slicing import slice_helper_var

__all__ = [
    "Variable",
    "VariableAggregation",
    "VariableSynchronization",
    "all_variables",
    "assert_variables_initialized",
    "disable_resource_variables",
    "enable_resource_variables",
    "global_variables",
    "global_variables_initializer",
    "initialize_all_variables",
    "initialize_local_variables",
    "initialize_variables",
    "local_variables",
    "local_variables_initializer",
    "model_variables",
    "moving_average_variables",
    "report_uninitialized_variables",
    "resource_variables_enabled",
    "trainable_variables",
    "variables_initializer",
]

_default_use_resource = False


class VariableSynchronization(enum.Enum):
    """When replicas of a variable are brought together; kept for programs that name it."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(enum.Enum):
    """How replicas of a variable are brought together; kept for programs that name it."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3


def enable_resource_variables() -> None:
    """Makes resource variables the default from now on."""
    global _default_use_resource
    _default_use_resource = True


def disable_resource_variables() -> None:
    """Makes reference variables the default again."""
    global _default_use_resource
    _default_use_resource = False


def resource_variables_enabled() -> bool:
    """Whether `tf.Variable` makes resource variables when nobody says."""
    return _default_use_resource


class _VariableMeta(type):
    """`Variable(…)` makes a RefVariable or a ResourceVariable."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is not Variable:
            return super().__call__(*args, **kwargs)
        from tinytf.ops.variable_scope import make_variable

        return make_variable(*args, **kwargs)


if TYPE_CHECKING:
    from tinytf.framework.type_hints import VariableMethods as _Methods

    _Meta = type  # for a checker the class makes what its constructor says
else:
    _Methods, _Meta = object, _VariableMeta


class Variable(_Methods, metaclass=_Meta):
    """A tensor that keeps its value between runs of a session, until the session closes.

    It must be initialised before it is read: run its `initializer`, or `tf.global_variables_initializer()`. Behaves like a
    Tensor in expressions.

    Args:
      initial_value: a Tensor, anything convertible, or a function of no arguments that gives one.
      trainable: whether optimizers change it by default (collection TRAINABLE_VARIABLES).
      collections: collections to join; GLOBAL_VARIABLES when None.
      validate_shape: False lets the variable have any shape.
      caching_device, variable_def, import_scope, synchronization, aggregation, expected_shape: as in TensorFlow.
      name: "Variable" when None.
      dtype: type to convert the initial value to.
      constraint: function that projects the value after an optimizer's update.
      use_resource: True for a resource variable; None takes the scope's or the process's default.
      shape: shape to declare when `initial_value` is less specific.

    Raises ValueError without an initial value, or if its shape is not known and `validate_shape` is True.
    """

    _is_dense_tensor_like = True
    __array_priority__ = 100

    _variable: Any
    _initial_value: Any
    _initializer_op: Any
    _trainable: bool
    _constraint: Any
    _save_slice_info: Any = None

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
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        shape: Any = None,
    ) -> None:
        raise NotImplementedError("Variable(…) makes a RefVariable or a ResourceVariable.")

    # -- What both kinds answer the same way -------------------------------------------------------------------------

    @property
    def trainable(self) -> bool:
        """Whether optimizers change it by default."""
        return self._trainable

    @property
    def constraint(self) -> Any:
        """The projection applied after an optimizer's update, or None."""
        return self._constraint

    @property
    def initial_value(self) -> Any:
        """The tensor that the initializer assigns."""
        return self._initial_value

    @property
    def initializer(self) -> Any:
        """The operation that initialises the variable."""
        return self._initializer_op

    @property
    def synchronization(self) -> VariableSynchronization:
        """Always AUTO here."""
        return VariableSynchronization.AUTO

    @property
    def aggregation(self) -> VariableAggregation:
        """Always NONE here."""
        return VariableAggregation.NONE

    def get_shape(self) -> Any:
        """The static shape."""
        return self.shape

    def _shape_tuple(self) -> Any:
        dims = self.shape.dims
        return None if dims is None else tuple(d.value for d in dims)

    def eval(self, session: Any = None, feed_dict: Any = None) -> Any:
        """The value in `session` or the default session."""
        return self._as_graph_element().eval(session=session, feed_dict=feed_dict)

    def load(self, value: Any, session: Any = None) -> None:
        """Assigns `value` in a session without adding operations. ValueError if there is no session."""
        from tinytf.framework.graph import get_default_session

        session = session or get_default_session()
        if session is None:
            raise ValueError("Either session argument should be provided or default session should be established")
        session.run(self.initializer, {self.initializer.inputs[1]: value})

    def set_shape(self, shape: Any) -> None:
        """Merges `shape` into the static shapes of the variable and of what is read from it."""
        self._ref().set_shape(shape)
        self.value().set_shape(shape)

    def initialized_value(self) -> Tensor:
        """The initial value, for the initial values of other variables."""
        return self._initial_value

    def _as_graph_element(self) -> Any:
        raise NotImplementedError

    def _ref(self) -> Any:
        raise NotImplementedError

    def value(self) -> Any:
        """The tensor that readers of the variable use."""
        raise NotImplementedError

    @property
    def shape(self) -> Any:
        """The static shape."""
        raise NotImplementedError

    def _set_save_slice_info(self, info: Any) -> None:
        self._save_slice_info = info

    def _get_save_slice_info(self) -> Any:
        return self._save_slice_info

    def __iter__(self) -> Any:
        raise TypeError("'Variable' object is not iterable.")

    def __bool__(self) -> bool:
        return bool(self.value())

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: Any) -> bool:
        return self is other

    def __ne__(self, other: Any) -> bool:
        return self is not other

    @classmethod
    def _overload_operators(cls) -> None:
        """Gives variables the operators of Tensor, applied to the value."""
        for operator in OVERLOADABLE_OPERATORS:
            function = getattr(Tensor, operator, None)
            if function is not None:
                setattr(cls, operator, _on_value(function))
        setattr(cls, "__getitem__", slice_helper_var)  # noqa: B010


def _on_value(function: Any) -> Any:
    def run_op(self: Any, *args: Any, **kwargs: Any) -> Any:
        return function(self._AsTensor(), *args, **kwargs)

    run_op.__doc__ = function.__doc__
    run_op.__name__ = function.__name__
    return run_op


def global_variables(scope: str | None = None) -> list[Any]:
    """Variables shared by all steps (collection GLOBAL_VARIABLES); with `scope`, those whose name matches it."""
    return get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def all_variables() -> list[Any]:
    """Old name of `global_variables`."""
    return global_variables()


def local_variables(scope: str | None = None) -> list[Any]:
    """Variables of this process (collection LOCAL_VARIABLES)."""
    return get_default_graph().get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def model_variables(scope: str | None = None) -> list[Any]:
    """Variables of the collection MODEL_VARIABLES."""
    return get_default_graph().get_collection(GraphKeys.MODEL_VARIABLES, scope)


def trainable_variables(scope: str | None = None) -> list[Any]:
    """Variables that optimizers change by default."""
    return get_default_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


def moving_average_variables(scope: str | None = None) -> list[Any]:
    """Variables of which moving averages are kept."""
    return get_default_graph().get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


def variables_initializer(var_list: Any, name: str = "init") -> Any:
    """An operation that initialises these variables."""
    if var_list:
        return control_flow_ops.group(*[v.initializer for v in var_list], name=name)
    return control_flow_ops.group(name=name)


initialize_variables = variables_initializer


def global_variables_initializer() -> Any:
    """An operation that initialises all global variables that exist now."""
    return variables_initializer(global_variables())


def initialize_all_variables() -> Any:
    """Old name of `global_variables_initializer`."""
    return global_variables_initializer()


def local_variables_initializer() -> Any:
    """An operation that initialises all local variables that exist now."""
    return variables_initializer(local_variables())


def initialize_local_variables() -> Any:
    """Old name of `local_variables_initializer`."""
    return local_variables_initializer()


def report_uninitialized_variables(var_list: Any = None, name: str = "report_uninitialized_variables") -> Tensor:
    """The names of the variables that have no value yet: a string vector.

    Args:
      var_list: global and local variables when None.
    """
    from tinytf._gen import gen_ops
    from tinytf.ops import array_ops, state_ops

    if var_list is None:
        var_list = global_variables() + local_variables()
    with name_scope(name):
        if not var_list:
            return array_ops.constant([], dtype="string")
        initialized = array_ops.stack([state_ops.is_variable_initialized(v) for v in var_list])
        names = array_ops.constant(np.array([v.op.name for v in var_list]))
        return array_ops.boolean_mask(names, gen_ops.logical_not(initialized))


def assert_variables_initialized(var_list: Any = None) -> Any:
    """An operation that fails unless the variables are initialised (old style; prefer the report); None without
    variables."""
    from tinytf._gen import gen_ops

    if var_list is None:
        var_list = global_variables() + local_variables()
    if not var_list:
        return None
    return control_flow_ops.group(*[gen_ops.shape(v._AsTensor()) for v in var_list], name="AssertVariablesInitialized")


def _convert_variable(value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    return value._convert(dtype, name, as_ref)


conversion.register_tensor_conversion_function(Variable, _convert_variable, 90)
