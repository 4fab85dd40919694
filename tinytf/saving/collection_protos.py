"""How the values of collections become messages and come back, by the name of the collection."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tinytf import protos
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.name_scope import prepend_name_scope, strip_name_scope
from tinytf.framework.registry import Registry
from tinytf.ops.control_flow.cond_context import CondContext
from tinytf.ops.control_flow.while_context import WhileContext
from tinytf.variables.variable import Variable

__all__ = [
    "get_collection_proto_type",
    "get_from_proto_function",
    "get_to_proto_function",
    "register_proto_function",
]

_registry = Registry("proto functions")


@called_by_users
def register_proto_function(
    collection_name: str,
    proto_type: Any = None,
    to_proto: Callable[..., Any] | None = None,
    from_proto: Callable[..., Any] | None = None,
) -> None:
    """Says how values of a collection are kept with graphs that are exported. KeyError if that is known already.

    Args:
      proto_type: the class of the messages.
      to_proto: `to_proto(value, export_scope=…)` gives a value's message, or None to leave the value out.
      from_proto: `from_proto(message, import_scope=…)` gives the value.
    """
    for name, function in (("to_proto", to_proto), ("from_proto", from_proto)):
        if function and not callable(function):
            raise TypeError(f"{name} must be callable.")
    _registry.register((proto_type, to_proto, from_proto), collection_name)


def get_collection_proto_type(collection_name: str) -> Any:
    """The class of the messages of a collection's values; None if none was said."""
    own = _OWN.get(collection_name)
    return _registered(collection_name)[0] if own is None else getattr(protos, own[0])


def get_to_proto_function(collection_name: str) -> Callable[..., Any] | None:
    """What makes messages of a collection's values, or None."""
    own = _OWN.get(collection_name)
    return _registered(collection_name)[1] if own is None else own[1]


def get_from_proto_function(collection_name: str) -> Callable[..., Any] | None:
    """What makes values of a collection's messages, or None."""
    own = _OWN.get(collection_name)
    return _registered(collection_name)[2] if own is None else own[2]


def _registered(name: str) -> tuple[Any, Any, Any]:
    return _registry.lookup(name) if name in _registry.list() else (None, None, None)


def _told(value: Any, export_scope: str | None = None) -> Any:
    return value.to_proto(export_scope)


def _runner_def(value: Any, export_scope: str | None = None) -> Any:
    """The `QueueRunnerDef` of a queue runner: of an object that tells it, or of a message that was imported."""
    if not protos.is_message(value, "QueueRunnerDef"):
        return value.to_proto(export_scope)
    if export_scope and not value.queue_name.startswith(export_scope):
        return None
    return _renamed(value, lambda name: strip_name_scope(name, export_scope))


def _renamed(runner: Any, rename: Callable[[str], str]) -> Any:
    return protos.QueueRunnerDef(
        queue_name=rename(runner.queue_name),
        enqueue_op_name=map(rename, runner.enqueue_op_name),
        close_op_name=rename(runner.close_op_name),
        cancel_op_name=rename(runner.cancel_op_name),
        queue_closed_exception_types=runner.queue_closed_exception_types,
    )


def _kept_runner(message: Any, import_scope: str | None = None) -> Any:
    """A queue runner that is only kept: its message, with the names that its operations have here."""
    return _renamed(message, partial(_prepended, import_scope))


def _prepended(scope: str | None, name: str) -> str:
    return prepend_name_scope(name, scope) if name else name


# Name → what messages are called, to them, from them.
_OWN: dict[str, tuple[str, Callable[..., Any], Callable[..., Any]]] = {
    GraphKeys.COND_CONTEXT: ("CondContextDef", _told, CondContext.from_proto),
    GraphKeys.WHILE_CONTEXT: ("WhileContextDef", _told, WhileContext.from_proto),
    GraphKeys.QUEUE_RUNNERS: ("QueueRunnerDef", _runner_def, _kept_runner),
    **dict.fromkeys(
        (
            GraphKeys.GLOBAL_VARIABLES,
            GraphKeys.TRAINABLE_VARIABLES,
            GraphKeys.MOVING_AVERAGE_VARIABLES,
            GraphKeys.LOCAL_VARIABLES,
            GraphKeys.MODEL_VARIABLES,
            GraphKeys.METRIC_VARIABLES,
            GraphKeys.GLOBAL_STEP,
        ),
        ("VariableDef", _told, Variable.from_proto),
    ),
}
