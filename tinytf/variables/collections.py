"""The collections of variables, and operations on all variables of one: initialising, asking, checking."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.name_scope import colocate_with, device, name_scope
from tinytf.framework.should_use import should_use_result
from tinytf.framework.tensor import Tensor
from tinytf.ops import array_ops, control_flow_ops
from tinytf.ops.state import state_ops
from tinytf.ops.state.resources import reporting_device
from tinytf.variables.variable import Variable


@tf_export("global_variables")
def global_variables(scope: str | None = None) -> list[Any]:
    """Variables shared by all steps (collection GLOBAL_VARIABLES); with `scope`, those whose name matches it."""
    return get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


@tf_export("all_variables")
def all_variables() -> list[Any]:
    """Old name of `global_variables`."""
    return global_variables()


@tf_export("local_variables")
def local_variables(scope: str | None = None) -> list[Any]:
    """Variables of this process (collection LOCAL_VARIABLES)."""
    return get_default_graph().get_collection(GraphKeys.LOCAL_VARIABLES, scope)


@tf_export("model_variables")
def model_variables(scope: str | None = None) -> list[Any]:
    """Variables of the collection MODEL_VARIABLES."""
    return get_default_graph().get_collection(GraphKeys.MODEL_VARIABLES, scope)


@tf_export("trainable_variables")
def trainable_variables(scope: str | None = None) -> list[Any]:
    """Variables that optimizers change by default."""
    return get_default_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


@tf_export("moving_average_variables")
def moving_average_variables(scope: str | None = None) -> list[Any]:
    """Variables of which moving averages are kept."""
    return get_default_graph().get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


@tf_export("initializers.variables", "variables_initializer")
@called_by_users
def variables_initializer(var_list: Any, name: str = "init") -> Any:
    """An operation that initialises these variables. None where operations are executed: variables are initialised."""
    if executing_eagerly():
        return None
    if var_list:
        return control_flow_ops.group(*[v.initializer for v in var_list], name=name)
    return control_flow_ops.no_op(name=name)


@tf_export("initialize_variables")
@called_by_users
@should_use_result
def initialize_variables(var_list: Any, name: str = "init") -> Any:
    """Old name of `variables_initializer`."""
    return variables_initializer(var_list, name)


@tf_export("initializers.global_variables", "global_variables_initializer")
def global_variables_initializer() -> Any:
    """An operation that initialises all global variables that exist now."""
    return variables_initializer(global_variables())


@tf_export("initialize_all_variables")
@should_use_result
def initialize_all_variables() -> Any:
    """Old name of `global_variables_initializer`."""
    return global_variables_initializer()


@tf_export("initializers.local_variables", "local_variables_initializer")
def local_variables_initializer() -> Any:
    """An operation that initialises all local variables that exist now."""
    return variables_initializer(local_variables())


@tf_export("initialize_local_variables")
@should_use_result
def initialize_local_variables() -> Any:
    """Old name of `local_variables_initializer`."""
    return local_variables_initializer()


@tf_export("report_uninitialized_variables")
@should_use_result
def report_uninitialized_variables(var_list: Any = None, name: str = "report_uninitialized_variables") -> Tensor:
    """The names of the variables that have no value yet: a string vector.

    Args:
      var_list: global and local variables when None.
    """
    if var_list is None:
        var_list = global_variables() + local_variables() or _variable_nodes()
    with name_scope(name):
        initialized = [state_ops.is_variable_initialized(v) for v in var_list]
        with device(reporting_device()):
            if not var_list:
                return array_ops.constant([], dtype="string")
            missing = gen_ops.logical_not(array_ops.stack(initialized))
            names = array_ops.constant(
                np.array([v._shared_name if isinstance(v, Variable) else v.op.name for v in var_list])
            )
            return array_ops.boolean_mask(names, missing)


def _variable_nodes() -> list[Tensor]:
    """The variables that the graph has as nodes, for programs that keep them out of the collections."""
    if executing_eagerly():
        return []
    found = [op for op in get_default_graph().get_operations() if op._spec.is_variable and op._spec.outputs[0].is_ref]
    return [op.outputs[0] for op in found]


@tf_export("is_variable_initialized")
@should_use_result
def is_variable_initialized(variable: Any) -> Tensor:
    """Whether the variable has a value: a bool scalar."""
    return state_ops.is_variable_initialized(variable)


@tf_export("assert_variables_initialized")
@should_use_result
def assert_variables_initialized(var_list: Any = None) -> Any:
    """A tensor whose step fails with FailedPreconditionError unless the variables are initialised (old style; prefer the
    report): the rank of the variable, or an int32 vector of the ranks of several; None without variables."""
    if var_list is None:
        var_list = global_variables() + local_variables()
    var_list = var_list or _variable_nodes()
    if not var_list:
        return None
    ranks = []
    for variable in var_list:
        with colocate_with(variable.op), name_scope(None, "Rank", [variable]) as scope:
            convert_to_tensor(variable)
            ranks.append(gen_ops.rank(variable, name=scope))
    return ranks[0] if len(ranks) == 1 else array_ops.stack(ranks)
