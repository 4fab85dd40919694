"""Restores the collections of an imported graph."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tinytf._src.checkpoint.collection_protos import get_collection_proto_type, get_from_proto_function
from tinytf._src.checkpoint.message_files import message_of
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.scopes.name_scope import prepend_name_scope

_ONCE_OF_NODES = (GraphKeys.LOCAL_VARIABLES, GraphKeys.MODEL_VARIABLES, GraphKeys.METRIC_VARIABLES)


def restore_collections(meta_graph_def: Any, graph: Graph, scope: str, wanted: Callable[[str], bool]) -> None:
    """Adds the collections of a `MetaGraphDef` to a graph whose nodes were imported into `scope`.

    A variable in several collections is restored as one object. `graph` must be the default graph.
    """
    variables: dict[bytes, Any] = {}
    says_trainable = _says_trainable(meta_graph_def.meta_info_def.tensorflow_version)
    for key, message in _in_order(meta_graph_def.collection_def):
        if not wanted(key):
            continue
        kind = message.WhichOneof("kind")
        if kind is None:
            tf_logging.error("Cannot identify data type for collection %s. Skipping.", key)
            continue
        values = getattr(message, kind).value
        from_proto = get_from_proto_function(key)
        if from_proto is None or kind != "bytes_list":
            if key in _ONCE_OF_NODES:
                tf_logging.warning(
                    "The saved meta_graph is possibly from an older release:\n'%s' collection should be of type "
                    "'byte_list', but instead is of type '%s'.",
                    key,
                    kind,
                )
            for value in values:
                graph.add_to_collection(key, _plain(graph, kind, value, scope))
            continue
        proto_type = get_collection_proto_type(key)
        is_of_variables = key in GraphKeys._VARIABLE_COLLECTIONS
        for data in values:
            value = variables.get(data) if is_of_variables else None
            if value is None:
                told = message_of(proto_type, data, f"A value of collection {key}")
                if is_of_variables and not says_trainable:
                    told.trainable = key == GraphKeys.TRAINABLE_VARIABLES
                value = from_proto(told, import_scope=scope)
            if is_of_variables:
                variables[data] = value
            graph.add_to_collection(key, value)


def _in_order(collections: Any) -> Iterator[tuple[str, Any]]:
    """Yields the collections by name, but trainable variables first: their messages apply to all collections."""
    for key in sorted(collections, key=lambda key: (key != GraphKeys.TRAINABLE_VARIABLES, key)):
        yield key, collections[key]


def _says_trainable(version: str) -> bool:
    """Returns whether variables written by this version of TensorFlow state whether they are trainable."""
    numbers = tuple(map(int, re.findall(r"\d+", version)[:2]))
    return not version or numbers >= (1, 9)


def _plain(graph: Graph, kind: str, value: Any, scope: str) -> Any:
    if kind == "node_list":
        return graph.as_graph_element(prepend_name_scope(value, scope))
    if kind == "bytes_list" and scope:
        return prepend_name_scope(value.decode(), scope)
    return value


def unbound_inputs(meta_graph_def: Any, collection: str | None) -> list[str]:
    """Returns the names of the tensors outside of an exported scope that its nodes used as inputs."""
    if not collection or collection not in meta_graph_def.collection_def:
        return []
    message = meta_graph_def.collection_def[collection]
    kind = message.WhichOneof("kind")
    return [] if kind is None else [_text(value) for value in getattr(message, kind).value]


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
