"""Collections of variables, and operations on all variables of a collection: initialization, queries, checks."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.apply.should_use import should_use_result
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import colocate_with, device, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops import array_ops, control_flow_ops
from tinytf._src.ops.state import state_ops
from tinytf._src.ops.state.resources import reporting_device
from tinytf._src.variables.variable import Variable


@tf_export("global_variables")
def global_variables(scope: str | None = None) -> list[Any]:
    """The variables in the collection GLOBAL_VARIABLES of the default graph.

    Args:
      scope: str, regular expression that the beginning of a variable's name must match; None means all variables.

    Returns:
      List of variables.
    """
    return get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


@tf_export("all_variables")
def all_variables() -> list[Any]:
    """Deprecated name of `tf.global_variables`."""
    return global_variables()


@tf_export("local_variables")
def local_variables(scope: str | None = None) -> list[Any]:
    """The variables in the collection LOCAL_VARIABLES of the default graph, which belong to one process.

    Args:
      scope: str, regular expression that the beginning of a variable's name must match; None means all variables.

    Returns:
      List of variables.
    """
    return get_default_graph().get_collection(GraphKeys.LOCAL_VARIABLES, scope)


@tf_export("model_variables")
def model_variables(scope: str | None = None) -> list[Any]:
    """The variables in the collection MODEL_VARIABLES of the default graph.

    Args:
      scope: str, regular expression that the beginning of a variable's name must match; None means all variables.

    Returns:
      List of variables.
    """
    return get_default_graph().get_collection(GraphKeys.MODEL_VARIABLES, scope)


@tf_export("trainable_variables")
def trainable_variables(scope: str | None = None) -> list[Any]:
    """The variables in the collection TRAINABLE_VARIABLES of the default graph, which optimizers update by default.

    Args:
      scope: str, regular expression that the beginning of a variable's name must match; None means all variables.

    Returns:
      List of variables.
    """
    return get_default_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


@tf_export("moving_average_variables")
def moving_average_variables(scope: str | None = None) -> list[Any]:
    """The variables in the collection MOVING_AVERAGE_VARIABLES of the default graph.

    Args:
      scope: str, regular expression that the beginning of a variable's name must match; None means all variables.

    Returns:
      List of variables.
    """
    return get_default_graph().get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


@tf_export("initializers.variables", "variables_initializer")
@called_by_users
def variables_initializer(var_list: Any, name: str = "init") -> Any:
    """Creates an operation that initializes some variables.

    Args:
      var_list: list of variables.
      name: str, name of the operation.

    Returns:
      Operation; None in eager mode, where variables are always initialized.
    """
    if executing_eagerly():
        return None
    if var_list:
        return control_flow_ops.group(*[v.initializer for v in var_list], name=name)
    return control_flow_ops.no_op(name=name)


@tf_export("initialize_variables")
@called_by_users
@should_use_result
def initialize_variables(var_list: Any, name: str = "init") -> Any:
    """Deprecated name of `tf.variables_initializer`."""
    return variables_initializer(var_list, name)


@tf_export("initializers.global_variables", "global_variables_initializer")
def global_variables_initializer() -> Any:
    """Creates an operation that initializes all global variables that exist now.

    Returns:
      Operation; None in eager mode, where variables are always initialized.

    Example:
      with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
    """
    return variables_initializer(global_variables())


@tf_export("initialize_all_variables")
@should_use_result
def initialize_all_variables() -> Any:
    """Deprecated name of `tf.global_variables_initializer`."""
    return global_variables_initializer()


@tf_export("initializers.local_variables", "local_variables_initializer")
def local_variables_initializer() -> Any:
    """Creates an operation that initializes all local variables that exist now.

    Returns:
      Operation; None in eager mode, where variables are always initialized.
    """
    return variables_initializer(local_variables())


@tf_export("initialize_local_variables")
@should_use_result
def initialize_local_variables() -> Any:
    """Deprecated name of `tf.local_variables_initializer`."""
    return local_variables_initializer()


@tf_export("report_uninitialized_variables")
@should_use_result
def report_uninitialized_variables(var_list: Any = None, name: str = "report_uninitialized_variables") -> Tensor:
    """Creates a tensor with the names of variables that are not initialized.

    Args:
      var_list: list of variables; None means all global and local variables.
      name: str, name scope of the operations.

    Returns:
      1-D string Tensor, which may be empty.
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
    """The reference variables in the graph's nodes, for programs that do not add variables to collections."""
    if executing_eagerly():
        return []
    found = [op for op in get_default_graph().get_operations() if op._spec.is_variable and op._spec.outputs[0].is_ref]
    return [op.outputs[0] for op in found]


@tf_export("is_variable_initialized")
@should_use_result
def is_variable_initialized(variable: Any) -> Tensor:
    """Creates a tensor that tells whether a variable is initialized.

    Args:
      variable: the variable.

    Returns:
      Scalar bool Tensor.
    """
    return state_ops.is_variable_initialized(variable)


@tf_export("assert_variables_initialized")
@should_use_result
def assert_variables_initialized(var_list: Any = None) -> Any:
    """Creates a tensor that fails with FailedPreconditionError if a variable is not initialized.

    Deprecated; prefer `tf.report_uninitialized_variables`.

    Args:
      var_list: list of variables; None means all global and local variables.

    Returns:
      int32 Tensor with the ranks of the variables, a scalar for a single variable; None without variables.
    """
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
