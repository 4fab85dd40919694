"""The global step: the variable that counts training steps."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs.log import logger
from tinytf._src.framework.scopes.name_scope import control_dependencies, name_scope
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.numpy_compat import only_element
from tinytf._src.ops.state import state_ops
from tinytf._src.variables import initializers
from tinytf._src.variables import scope as variable_scope
from tinytf._src.variables.variable import Variable, VariableAggregation

# The collection with the one tensor by which hooks read the step before the updates of a run.
GLOBAL_STEP_READ_KEY = "global_step_read_op_cache"


@tf_export("train.global_step")
def global_step(sess: Any, global_step_tensor: Any) -> int:
    """Returns the value of the global step in a session.

    Args:
      sess: session.
      global_step_tensor: Variable or Tensor of the global step.

    Returns:
      An int.
    """
    return int(only_element(sess.run(global_step_tensor)))


@tf_export("train.get_global_step")
def get_global_step(graph: Graph | None = None) -> Any:
    """Returns the global step of a graph: the one entry of the collection GLOBAL_STEP, or the tensor `global_step:0`.

    Args:
      graph: optional Graph; defaults to the default graph.

    Returns:
      A Variable or Tensor; None if there is none or if the collection has several entries.

    Raises:
      TypeError: if it is not an integer scalar.
    """
    graph = graph or get_default_graph()
    found = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(found) > 1:
        logger().error("Multiple tensors in global_step collection.")
        return None
    if found:
        step = found[0]
    else:
        try:
            step = graph.get_tensor_by_name("global_step:0")
        except KeyError:
            return None
    assert_global_step(step)
    return step


@tf_export("train.create_global_step")
@called_by_users
def create_global_step(graph: Graph | None = None) -> Any:
    """Creates the global step, an int64 scalar variable with the initial value 0.

    Args:
      graph: optional Graph; defaults to the default graph.

    Returns:
      A Variable.

    Raises:
      ValueError: if the graph has a global step.
    """
    graph = graph or get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    with nullcontext() if executing_eagerly() else graph.as_default(), name_scope(None):
        return variable_scope.get_variable(
            GraphKeys.GLOBAL_STEP,
            shape=[],
            dtype=dtypes.int64,
            initializer=initializers.zeros_initializer(),
            trainable=False,
            aggregation=VariableAggregation.ONLY_FIRST_REPLICA,
            collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP],
        )


@tf_export("train.get_or_create_global_step")
def get_or_create_global_step(graph: Graph | None = None) -> Any:
    """Returns the global step of a graph, creating it if there is none.

    Args:
      graph: optional Graph; defaults to the default graph.

    Returns:
      A Variable or Tensor.
    """
    graph = graph or get_default_graph()
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


@tf_export("train.assert_global_step")
@called_by_users
def assert_global_step(global_step_tensor: Any) -> None:
    """Checks that an object is usable as a global step.

    Args:
      global_step_tensor: object to check.

    Raises:
      TypeError: if it is not an integer scalar Variable or Tensor.
    """
    is_variable_or_tensor = isinstance(global_step_tensor, (Variable, Tensor))
    if not is_variable_or_tensor:
        raise TypeError(f'Existing "global_step" must be a Variable or Tensor: {global_step_tensor}.')
    if not global_step_tensor.dtype.base_dtype.is_integer:
        raise TypeError(f'Existing "global_step" does not have integer type: {global_step_tensor.dtype}')
    shape = global_step_tensor.get_shape()
    if shape.ndims != 0 and shape.is_fully_defined():
        raise TypeError(f'Existing "global_step" is not scalar: {shape}')


def _get_global_step_read(graph: Graph | None = None) -> Any:
    """Returns the tensor that reads the global step before a run changes it, or None. Raises RuntimeError if there are
    several.
    """
    graph = graph or get_default_graph()
    reads = graph.get_collection(GLOBAL_STEP_READ_KEY)
    if len(reads) > 1:
        raise RuntimeError(f"There are multiple items in collection {GLOBAL_STEP_READ_KEY}. There should be only one.")
    return reads[0] if reads else None


def _get_or_create_global_step_read(graph: Graph | None = None) -> Any:
    """Does the same as `_get_global_step_read`, but creates the tensor if there is a global step without one."""
    graph = graph or get_default_graph()
    read = _get_global_step_read(graph)
    if read is not None:
        return read
    step = get_global_step(graph)
    if step is None:
        return None
    # The scope is named after the step, and "+ 0" creates a new tensor that later updates do not change.
    with graph.as_default(), name_scope(None), name_scope(step.op.name + "/"):
        read = (step.initialized_value() if isinstance(step, Variable) else step) + 0
        graph.add_to_collection(GLOBAL_STEP_READ_KEY, read)
    return _get_global_step_read(graph)


def _increment_global_step(increment: Any, graph: Graph | None = None) -> Any:
    """Returns an operation that increments the global step after it has been read. Raises ValueError if there is no
    global step.
    """
    graph = graph or get_default_graph()
    step = get_global_step(graph)
    if step is None:
        raise ValueError(
            "Global step tensor should be created by tf.train.get_or_create_global_step before calling increment."
        )
    with graph.as_default(), control_dependencies([_get_or_create_global_step_read(graph)]):
        return state_ops.assign_add(step, increment)
