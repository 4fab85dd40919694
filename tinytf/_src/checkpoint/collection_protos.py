"""Registry of functions that serialize the values of collections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src import protos
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.registries.registry import Registry
from tinytf._src.ops.control_flow.cond_context import CondContext
from tinytf._src.ops.control_flow.while_context import WhileContext
from tinytf._src.ops.data_flow.queue_runner import QueueRunner
from tinytf._src.variables.variable import Variable

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
    """Registers how values of a collection are serialized in exported graphs. KeyError if the collection is registered
    already.

    Args:
      collection_name: str, the key of the collection.
      proto_type: the message class, or the name of one in `protos`, which is then loaded on demand.
      to_proto: `to_proto(value, export_scope=…)` returns a value's message, or None to leave the value out.
      from_proto: `from_proto(message, import_scope=…)` returns the value.
    """
    for name, function in (("to_proto", to_proto), ("from_proto", from_proto)):
        if function and not callable(function):
            raise TypeError(f"{name} must be callable.")
    _registry.register((proto_type, to_proto, from_proto), collection_name)


def get_collection_proto_type(collection_name: str) -> Any:
    """Returns the message class of a collection's values; None if it is not registered."""
    kind = _registered(collection_name)[0]
    return getattr(protos, kind) if isinstance(kind, str) else kind


def get_to_proto_function(collection_name: str) -> Callable[..., Any] | None:
    """Returns the function from a collection's values to messages, or None."""
    return _registered(collection_name)[1]


def get_from_proto_function(collection_name: str) -> Callable[..., Any] | None:
    """Returns the function from messages to a collection's values, or None."""
    return _registered(collection_name)[2]


def _registered(name: str) -> tuple[Any, Any, Any]:
    return _registry.lookup(name) if name in _registry.list() else (None, None, None)


def _told(value: Any, export_scope: str | None = None) -> Any:
    return value.to_proto(export_scope)


def register_for_package(
    collection_name: str, proto_type: str, to_proto: Callable[..., Any], from_proto: Callable[..., Any]
) -> None:
    """Like `register_proto_function`, for modules of this package."""
    _registry.add((proto_type, to_proto, from_proto), collection_name)


def _new_registry() -> Registry:
    """Returns a registry with the standard collections."""
    variables = ("VariableDef", _told, Variable.from_proto)
    entries: dict[str, tuple[str, Callable[..., Any], Callable[..., Any]]] = {
        GraphKeys.COND_CONTEXT: ("CondContextDef", _told, CondContext.from_proto),
        GraphKeys.WHILE_CONTEXT: ("WhileContextDef", _told, WhileContext.from_proto),
        # The base class's `to_proto`, even if a subclass's raises: the enqueue operations are kept, the feeding is
        # lost.
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
