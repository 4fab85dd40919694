"""Gradient functions by op type."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tinytf.exports import tf_export
from tinytf.framework import registry
from tinytf.framework.error_traceback import called_by_users

if TYPE_CHECKING:
    from tinytf.framework.graph import Graph

__all__ = [
    "NoGradient",
    "NotDifferentiable",
    "RegisterGradient",
    "get_gradient_function",
]

_gradients = registry.Registry("gradient")
# Functions that one graph needs, by name. The graph owns them, so that what they refer to goes when it goes.
_of_graphs: weakref.WeakValueDictionary[str, Callable[..., Any]] = weakref.WeakValueDictionary()
_OWNED_KEY = ("__gradient_functions",)
_of_calls: Callable[[Any], Callable[..., Any]]


def load_first(load: Callable[[], None]) -> None:
    """Has `load` called before the registry is used: it imports the families of gradients, which use `gradient_of`."""
    _gradients.load_first(load)


class gradient_of:
    """`@gradient_of("Op")`: what families of the package have in the place of `RegisterGradient`, which loads them all."""

    def __init__(self, op_type: str) -> None:
        self._op_type = op_type

    def __call__(self, f: Callable[..., Any]) -> Callable[..., Any]:
        _gradients.add(f, self._op_type)
        return f


def stops_at(op_type: str) -> None:
    """Adds an op of the package at which gradients stop."""
    _gradients.add(None, op_type)


@tf_export("RegisterGradient")
class RegisterGradient:
    """`@tf.RegisterGradient("Op")`: registers `f(op, *output_gradients)`, which returns a gradient or None per input.

    TypeError for a name that is no string, KeyError for one that is registered already.
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
    """Declares that gradients stop at ops of this type. TypeError for a name that is no string."""
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    _gradients.register(None, op_type)


NoGradient = NotDifferentiable
no_gradient = NotDifferentiable


def register_for_graph(graph: Graph, name: str, f: Callable[..., Any]) -> None:
    """Registers a gradient function under a name that is unique in the process, for as long as the graph lives."""
    graph.get_collection_ref(_OWNED_KEY).append(f)
    _of_graphs[name] = f


def gradients_of_calls_by(find: Callable[[Any], Callable[..., Any]]) -> None:
    """`find(op)` is asked for the gradient function of an operation that calls a function."""
    global _of_calls
    _of_calls = find


def get_gradient_function(op: Any) -> Callable[..., Any] | None:
    """The gradient function of an operation, or None where gradients stop.

    LookupError if the op's type has neither a function nor a declaration.
    """
    if not op.inputs:
        return None
    override = op._raw_attr("_gradient_op_type")
    name = op.type if override is None else override.decode()
    if op._spec.calls_function:
        # A function's name may have one, and TensorFlow 1.15 writes names into calls that it knows while it runs.
        given = name in _gradients.list() and (override is not None or op._spec.is_function)
        return _gradients.lookup(name) if given else _of_graphs.get(name) or _of_calls(op)
    if override is not None:
        return _of_graphs.get(name) or _gradients.lookup(name)
    return find_gradient_function(name)


def find_gradient_function(op_type: str) -> Callable[..., Any] | None:
    """The gradient function of the ops of a type, or None where gradients stop.

    LookupError if the type has neither a function nor a declaration.
    """
    return _gradients.lookup(op_type)
