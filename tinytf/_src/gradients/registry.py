"""Registry of gradient functions by op type."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.registries import registry

if TYPE_CHECKING:
    from tinytf._src.framework.graph.graph import Graph

__all__ = [
    "NoGradient",
    "NotDifferentiable",
    "RegisterGradient",
    "get_gradient_function",
]

_gradients = registry.Registry("gradient")
# Gradient functions of ops whose names TensorFlow 1.15 leaves free, by op type; None at ops that are not differentiable.
# They are not in `_gradients`, so that a program may register its own, which is then used.
_of_free_names: dict[str, Callable[..., Any] | None] = {}
# Functions registered for one graph, by name. The graph owns them, so that the objects they refer to are freed with it.
_of_graphs: weakref.WeakValueDictionary[str, Callable[..., Any]] = weakref.WeakValueDictionary()
_OWNED_KEY = ("__gradient_functions",)
_of_calls: Callable[[Any], Callable[..., Any]]


def load_first(load: Callable[[], None]) -> None:
    """Sets the function that imports the modules with `gradient_of` before the registry is used."""
    _gradients.load_first(load)


class gradient_of:
    """Registers a gradient function of this package, like `RegisterGradient`, but does not load all the others
    first.

    Args:
      op_type: name of the op.
      free: whether TensorFlow 1.15 registers no gradient under this name, so that a program may do so.
    """

    def __init__(self, op_type: str, *, free: bool = False) -> None:
        self._op_type = op_type
        self._free = free

    def __call__(self, f: Callable[..., Any]) -> Callable[..., Any]:
        if self._free:
            _of_free_names[self._op_type] = f
        else:
            _gradients.add(f, self._op_type)
        return f


def stops_at(op_type: str, *, free: bool = False) -> None:
    """Registers an op of this package as not differentiable; `free` as for `gradient_of`."""
    if free:
        _of_free_names[op_type] = None
    else:
        _gradients.add(None, op_type)


@tf_export("RegisterGradient")
class RegisterGradient:
    """Decorator that registers the gradient function of an op type.

    The function takes the Operation and one gradient per output, and returns one Tensor, IndexedSlices or None per
    input.

    Args:
      op_type: str, name of the op, or a name for `Graph.gradient_override_map`.

    Raises:
      TypeError: if `op_type` is not a string.
      KeyError: when the decorator is applied, if there is a gradient function with this name already.

    Example:
      @tf.RegisterGradient("Halved")
      def halved(op, grad):
        return 0.5 * grad
    """

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f: Callable[..., Any]) -> Callable[..., Any]:
        _gradients.register(f, self._op_type)
        return f


@tf_export("NoGradient", "NotDifferentiable", "no_gradient")
@called_by_users
def NotDifferentiable(op_type: str) -> None:
    """Declares that an op is not differentiable: gradients stop at it.

    Args:
      op_type: str, name of the op.

    Raises:
      TypeError: if `op_type` is not a string.
    """
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    _gradients.register(None, op_type)


NoGradient = NotDifferentiable
no_gradient = NotDifferentiable


def register_for_graph(graph: Graph, name: str, f: Callable[..., Any]) -> None:
    """Registers a gradient function, under a name that is unique in the process, for the lifetime of the graph."""
    graph.get_collection_ref(_OWNED_KEY).append(f)
    _of_graphs[name] = f


def gradients_of_calls_by(find: Callable[[Any], Callable[..., Any]]) -> None:
    """Sets the function that finds the gradient function of an operation that calls a function."""
    global _of_calls
    _of_calls = find


def get_gradient_function(op: Any) -> Callable[..., Any] | None:
    """The gradient function of an operation, or None if it is not differentiable.

    Raises LookupError if nothing is registered for the op.
    """
    if not op.inputs:
        return None
    override = op._raw_attr("_gradient_op_type")
    name = op.type if override is None else override.decode()
    if op._spec.calls_function:
        # A gradient may be registered for a function's name; TensorFlow 1.15 also adds such names to calls at run time.
        given = name in _gradients.list()
        return _gradients.lookup(name) if given else _of_graphs.get(name) or _of_calls(op)
    if override is not None:
        return _of_graphs.get(name) or _gradients.lookup(name)
    return find_gradient_function(name)


def find_gradient_function(op_type: str) -> Callable[..., Any] | None:
    """The gradient function of an op type, or None if it is not differentiable.

    Raises LookupError if nothing is registered for the op.
    """
    if op_type not in _gradients.list() and op_type in _of_free_names:
        return _of_free_names[op_type]
    return _gradients.lookup(op_type)


def registered() -> dict[str, dict[str, Any]]:
    """The entries of the registry by op type, as they are and will be; "type" is the gradient function. Other ops have
    one only if `find_gradient_function` finds it."""
    return _gradients._registry
