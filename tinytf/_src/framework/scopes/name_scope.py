"""`name_scope` with default names and values, and functions for the scopes of the default graph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tinytf import _core
from tinytf._src.exports import tf_export
from tinytf._src.framework.context import execution
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users, leave_block
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.device import DeviceSpec, as_name
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values.tensor_like import is_graph_tensor

__all__ = [
    "add_to_collection",
    "add_to_collections",
    "colocate_with",
    "container",
    "control_dependencies",
    "device",
    "get_collection",
    "get_collection_ref",
    "name_scope",
    "op_scope",
    "prepend_name_scope",
    "strip_name_scope",
]


@tf_export("name_scope")
class name_scope:
    """Context manager that enters a name scope, in the graph of `values`.

    Yields the full scope name with a trailing slash.

    Args:
      name: str, name of the scope; None means `default_name`. "" leaves all scopes, a trailing "/" enters an existing
        scope.
      default_name: str, name to use if `name` is None.
      values: list of Tensors and Operations whose graph is entered; None means the default graph.

    Raises:
      TypeError: if the name is not a string.
      ValueError: if `values` belong to different graphs, or are given without a name.

    Example:
      def dense(x, w, name=None):
        with tf.name_scope(name, "dense", [x, w]) as scope:
          return tf.matmul(x, w, name=scope)
    """

    def __init__(self, name: str | None, default_name: str | None = None, values: Any = None) -> None:
        self._name = default_name if name is None else name
        self._default_name = default_name
        self._given = name
        self._values = values
        self._contexts: list[AbstractContextManager[Any]] = []
        self._eager_before: str | None = None

    @property
    def name(self) -> str | None:
        """The requested name."""
        return self._name

    def __enter__(self) -> str:
        if self._name is None and self._values is not None:
            raise ValueError(
                f"At least one of name ({self._given}) and default_name ({self._default_name}) must be provided."
            )
        if self._name is not None and not isinstance(self._name, (str, bytes)):
            raise TypeError(f"name for name_scope must be a string, not {self._name!r}")
        if executing_eagerly():
            self._eager_before, entered = execution.enter_eager_scope(self._name)
            return entered
        graph = graph_of_inputs(self._values or ())
        scope = graph._names.name_scope(self._name)
        if graph is not get_default_graph():
            default = graph.as_default()
            default.__enter__()
            self._contexts.append(default)
        entered = scope.__enter__()
        self._contexts.append(scope)
        return entered

    def __exit__(self, *exc: Any) -> None:
        if exc and exc[1] is not None:
            leave_block(exc[1])
        if self._eager_before is not None:
            execution.leave_eager_scope(self._eager_before)
            self._eager_before = None
            return
        while self._contexts:
            self._contexts.pop().__exit__(*exc)


@tf_export("op_scope")
@contextmanager
def op_scope(values: Any, name: str | None, default_name: str | None = None) -> Iterator[str]:
    """Deprecated form of `tf.name_scope(name, default_name, values)`, with the same errors."""
    with name_scope(name, default_name=default_name, values=values) as scope:
        yield scope


def graph_of_inputs(inputs: Any, graph: Graph | None = None) -> Graph:
    """The graph to which all tensors and operations among `inputs` belong; the default graph if there are none. While a
    function is traced, its graph, which captures tensors of others.

    Raises ValueError if they belong to different graphs, or not to `graph`.
    """
    if graph is None and not executing_eagerly():
        default = get_default_graph()
        if default.building_function:
            return default
    first = None
    for item in inputs:
        if not is_graph_tensor(item) and not isinstance(item, Operation):
            stand_in = getattr(item, "_as_graph_element", None)
            if stand_in is None or not getattr(item, "_in_graph_mode", True):
                continue  # belongs to no graph: a plain value, or captured where it is used
            item = stand_in()
        owner = item._op._graph if type(item) is Tensor else item.graph
        if graph is None:
            graph, first = owner, item
        elif owner is not graph:
            if first is None:
                raise ValueError(f"{item} is not from the passed-in graph.")
            raise ValueError(f"{item} must be from the same graph as {first}.")
    return graph or get_default_graph()


@tf_export("control_dependencies")
@called_by_users
def control_dependencies(control_inputs: Any) -> Any:
    """Context manager: operations created in the default graph run after `control_inputs`. See
    `Graph.control_dependencies`.

    In eager mode, where operations run in program order, it only calls the callables among `control_inputs`.

    Args:
      control_inputs: iterable of Operations and Tensors; None clears the enclosing control dependencies.

    Raises:
      TypeError: in graph mode, if an item is neither an Operation nor a Tensor.

    Example:
      with tf.control_dependencies([update]):
        result = tf.identity(x)
    """
    if executing_eagerly():
        for item in control_inputs or ():
            if callable(item):
                item()
        return execution.NoScope()
    return get_default_graph().control_dependencies(control_inputs)


@tf_export("device")
@called_by_users
def device(device_name_or_function: Any) -> AbstractContextManager[None]:
    """Context manager that requests a device for operations. See `Graph.device`.

    In eager mode, operations on a missing device fail with InvalidArgumentError, or run on the first one with soft
    placement.

    Args:
      device_name_or_function: device name, DeviceSpec, or (in graph mode) function from Operation to device name. None
        ignores the enclosing scopes.

    Raises:
      ValueError: for an invalid device name.
      RuntimeError: for a function in eager mode.

    Example:
      with tf.device("/cpu:0"):
        v = tf.Variable(0.0)
    """
    if executing_eagerly():
        return _eager_device(device_name_or_function)
    return get_default_graph().device(device_name_or_function)


def _eager_device(device: Any) -> AbstractContextManager[None]:
    if callable(device):
        raise RuntimeError("tf.device does not support functions when eager execution is enabled.")
    spec = DeviceSpec.from_string("" if device is None else as_name(device))
    if (spec.device_type or "CPU").upper() != "CPU":
        return execution.eager_device(_core.missing_device(as_name(device)))
    return execution.eager_device(spec.device_index or 0)


@tf_export("colocate_with")
@called_by_users
def colocate_with(op: Any, ignore_existing: bool = False) -> AbstractContextManager[None]:
    """Context manager that places operations of the default graph on the device of `op`. See `Graph.colocate_with`.

    Has no effect in eager mode.

    Args:
      op: Operation, Tensor, variable, or a value, which becomes a constant. May be None if `ignore_existing`.
      ignore_existing: bool, whether enclosing colocation scopes are ignored.
    """
    if executing_eagerly():
        return execution.NoScope()
    return get_default_graph().colocate_with(op, ignore_existing)


@tf_export("container")
def container(container_name: str) -> AbstractContextManager[str]:
    """Context manager: stateful operations created in the default graph keep their state in a container; yields its
    name.

    Args:
      container_name: str.
    """
    return get_default_graph().container(container_name)


@tf_export("add_to_collection")
@called_by_users
def add_to_collection(name: Any, value: Any) -> None:
    """Appends a value to a collection of the default graph.

    Args:
      name: name of the collection.
      value: any value.

    Raises:
      RuntimeError: if the graph is finalized.
    """
    get_default_graph().add_to_collection(name, value)


@tf_export("add_to_collections")
@called_by_users
def add_to_collections(names: Any, value: Any) -> None:
    """Appends a value to several collections of the default graph.

    Args:
      names: name or iterable of names; duplicates count once.
      value: any value.

    Raises:
      RuntimeError: if the graph is finalized.
    """
    get_default_graph().add_to_collections(names, value)


@tf_export("get_collection")
@called_by_users
def get_collection(key: Any, scope: str | None = None) -> list[Any]:
    """A list of the values in a collection of the default graph.

    Args:
      key: name of the collection.
      scope: str, regular expression that the `name` of a value must match; None means all values.
    """
    return get_default_graph().get_collection(key, scope)


@tf_export("get_collection_ref")
@called_by_users
def get_collection_ref(key: Any) -> list[Any]:
    """The list that stores a collection of the default graph; changes to it change the collection.

    Args:
      key: name of the collection.

    Returns:
      list.
    """
    return get_default_graph().get_collection_ref(key)


def strip_name_scope(name: str, export_scope: str | None) -> str:
    """`name`, possibly with a prefix "^" or "loc:@", without the leading scope `export_scope`."""
    if not export_scope:
        return name
    return re.sub(r"(\^|loc:@|^)" + re.escape(export_scope.removesuffix("/")) + "/+(.*)", r"\1\2", name, count=1)


def prepend_name_scope(name: str, import_scope: str | None) -> str:
    """`name`, possibly with a prefix "^" or "loc:@", with the scope `import_scope` prepended."""
    if not import_scope:
        return name
    scope = import_scope.removesuffix("/") + "/"
    return re.sub(r"(\^|loc:@|^)(.*)", lambda found: found[1] + scope + found[2], name, count=1)
