"""How the values of collections become messages and come back, by the name of the collection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf import protos
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.registry import Registry
from tinytf.ops.control_flow.cond_context import CondContext
from tinytf.ops.control_flow.while_context import WhileContext
from tinytf.ops.data_flow.queue_runner import QueueRunner
from tinytf.variables.variable import Variable

__all__ = [
    "get_collection_proto_type",
    "get_from_proto_function",
    "get_to_proto_function",
    "register_proto_function",
]


@called_by_users
def register_proto_function(
    collection_name: str,
    proto_type: Any = None,
    to_proto: Callable[..., Any] | None = None,
    from_proto: Callable[..., Any] | None = None,
) -> None:
    """Says how values of a collection are kept with graphs that are exported. KeyError if that is known already.

    Args:
      proto_type: the class of the messages; or the name of one in `protos`, which is not loaded before it is needed.
      to_proto: `to_proto(value, export_scope=…)` gives a value's message, or None to leave the value out.
      from_proto: `from_proto(message, import_scope=…)` gives the value.
    """
    for name, function in (("to_proto", to_proto), ("from_proto", from_proto)):
        if function and not callable(function):
            raise TypeError(f"{name} must be callable.")
    _registry.register((proto_type, to_proto, from_proto), collection_name)


def get_collection_proto_type(collection_name: str) -> Any:
    """The class of the messages of a collection's values; None if none was said."""
    kind = _registered(collection_name)[0]
    return getattr(protos, kind) if isinstance(kind, str) else kind


def get_to_proto_function(collection_name: str) -> Callable[..., Any] | None:
    """What makes messages of a collection's values, or None."""
    return _registered(collection_name)[1]


def get_from_proto_function(collection_name: str) -> Callable[..., Any] | None:
    """What makes values of a collection's messages, or None."""
    return _registered(collection_name)[2]


def _registered(name: str) -> tuple[Any, Any, Any]:
    return _registry.lookup(name) if name in _registry.list() else (None, None, None)


def _told(value: Any, export_scope: str | None = None) -> Any:
    return value.to_proto(export_scope)


def register_for_package(
    collection_name: str, proto_type: str, to_proto: Callable[..., Any], from_proto: Callable[..., Any]
) -> None:
    """As `register_proto_function`, for modules of the package that have collections of their own."""
    _registry.add((proto_type, to_proto, from_proto), collection_name)


def _new_registry() -> Registry:
    """With what is kept of collections that every graph may have."""
    variables = ("VariableDef", _told, Variable.from_proto)
    entries: dict[str, tuple[str, Callable[..., Any], Callable[..., Any]]] = {
        GraphKeys.COND_CONTEXT: ("CondContextDef", _told, CondContext.from_proto),
        GraphKeys.WHILE_CONTEXT: ("WhileContextDef", _told, WhileContext.from_proto),
        # Also of subclasses whose own `to_proto` refuses: what feeds a queue is not kept, its operations are.
        GraphKeys.QUEUE_RUNNERS: ("QueueRunnerDef", QueueRunner.to_proto, QueueRunner.from_proto),
        GraphKeys.GLOBAL_VARIABLES: variables,
        GraphKeys.TRAINABLE_VARIABLES: variables,
        GraphKeys.MOVING_AVERAGE_VARIABLES: variables,
        GraphKeys.LOCAL_VARIABLES: variables,
        GraphKeys.MODEL_VARIABLES: variables,
        GraphKeys.METRIC_VARIABLES: variables,
        GraphKeys.GLOBAL_STEP: variables,
    }
    registry = Registry("proto functions")
    for name, entry in entries.items():
        registry.add(entry, name)
    return registry


_registry = _new_registry()
