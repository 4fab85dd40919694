"""Serializes collections of a graph to `CollectionDef` messages."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tinytf._src.checkpoint.collection_protos import get_collection_proto_type, get_to_proto_function
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.scopes.name_scope import strip_name_scope

UNBOUND_INPUT_PREFIX = "$unbound_inputs_"
# Errors for values of another type than their collection's first, or without a serialization.
_UNTOLD = (AttributeError, LookupError, RuntimeError, TypeError, ValueError)


def add_collection_def(
    meta_graph_def: Any,
    key: Any,
    graph: Graph | None = None,
    export_scope: str | None = None,
    exclude_nodes: Collection[Any] | None = None,
    override_contents: Any = None,
) -> None:
    """Adds a collection to a `MetaGraphDef`, if it has values. If one of them cannot be serialized, logs a warning and
    adds none.

    Args:
      export_scope: only values with names in this scope are added, without the scope.
      exclude_nodes: names of nodes, or values, to leave out.
      override_contents: values in place of the collection's.
    """
    if graph and not isinstance(graph, Graph):
        raise TypeError(f"graph must be of type Graph, not {type(graph)}")
    if not isinstance(key, (str, bytes)):
        tf_logging.warning("Only collections with string type keys will be serialized. This key has %s", type(key))
        return
    values = override_contents or (graph or get_default_graph()).get_collection(key)
    values = [value for value in values if is_included(value, export_scope, exclude_nodes)]
    if not values:
        return
    try:
        _write(meta_graph_def.collection_def[key], key, values, export_scope)
    except _UNTOLD as error:
        tf_logging.warning(
            "Issue encountered when serializing %s.\nType is unsupported, or the types of the items don't match field "
            "type in CollectionDef. Note this is a warning and probably safe to ignore.\n%s",
            key,
            str(error),
        )
        del meta_graph_def.collection_def[key]


def is_included(value: Any, export_scope: str | None, left_out: Collection[Any] | None) -> bool:
    """Returns whether a named object, or a name, is part of the export; nameless objects always are."""
    name = value if isinstance(value, str) else getattr(value, "name", None)
    if not isinstance(name, str):
        return True
    if left_out and (name in left_out or any(value is other for other in left_out)):
        return False
    return not export_scope or name.startswith((export_scope, UNBOUND_INPUT_PREFIX))


def _write(message: Any, key: Any, values: list[Any], scope: str | None) -> None:
    to_proto = get_to_proto_function(key)
    if to_proto is not None:
        kind = get_collection_proto_type(key)
        for value in values:
            told = to_proto(value, export_scope=scope)
            if told is not None:
                if not isinstance(told, kind):
                    raise TypeError(f"{told!r} is not a {kind.__name__}")
                message.bytes_list.value.append(told.SerializeToString())
        return
    field = _field(values[0])
    if field == "node_list":
        inside = [value.name for value in values if not scope or value.name.startswith(scope)]
        values = [strip_name_scope(name, scope) for name in inside]
    elif field == "bytes_list":
        values = [value.encode() if isinstance(value, str) else value for value in values]
    elif field == "int64_list":
        values = [int(value) if isinstance(value, bool) else value for value in values]
    getattr(message, field).value.extend(values)


def _field(value: Any) -> str:
    """Returns the field of `CollectionDef` for values of this type."""
    if isinstance(value, (str, bytes)):
        return "bytes_list"
    if isinstance(value, int):
        return "int64_list"
    if isinstance(value, float):
        return "float_list"
    descriptor = getattr(type(value), "DESCRIPTOR", None)
    return "any_list" if getattr(descriptor, "full_name", None) == "google.protobuf.Any" else "node_list"
