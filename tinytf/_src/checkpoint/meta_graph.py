"""Builds `MetaGraphDef`s: a graph with its collections, its saver, and the ops that it uses."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.collection_defs import add_collection_def
from tinytf._src.checkpoint.collection_protos import get_from_proto_function
from tinytf._src.checkpoint.used_ops import op_list_of, ops_used_by_graph_def, strip_graph_default_valued_attrs
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf.version import GIT_VERSION, VERSION


def create_meta_graph_def(
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Collection[Any] | None = None,
    graph: Graph | None = None,
    export_scope: str | None = None,
    exclude_nodes: Collection[Any] | None = None,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
) -> Any:
    """Returns the `MetaGraphDef` of a graph.

    Args:
      meta_info_def: a `MetaInfoDef` to start with, for example with tags; versions are overwritten, the list of ops
        only if it is empty.
      graph_def: a `GraphDef` in place of `graph`'s, which includes static shapes.
      saver_def: the `SaverDef` to include, or None.
      collection_list: names of the collections to include; None: all.
      graph: the graph of the collections; None: the default graph.
      export_scope: only collection values in this scope are included, without it in their names.
      exclude_nodes: names of nodes, or values, to leave out of collections.
      clear_extraneous_savers: whether the collection of savers has only the saver of `saver_def`.
      strip_default_attrs: whether nodes lack attrs with default values.

    Raises:
      TypeError: for arguments of other types.
    """
    if graph and not isinstance(graph, Graph):
        raise TypeError(f"graph must be of type Graph, not {type(graph)}")
    meta_info_def = _adopted("meta_info_def", meta_info_def, protos.MetaGraphDef.MetaInfoDef)
    graph_def = _adopted("graph_def", graph_def, protos.GraphDef)
    saver_def = _adopted("saver_def", saver_def, protos.SaverDef)
    graph = graph or get_default_graph()
    result = protos.MetaGraphDef(meta_info_def=meta_info_def)
    info = result.meta_info_def
    write_versions(info)
    result.graph_def.CopyFrom(graph.as_graph_def(add_shapes=True) if graph_def is None else graph_def)
    if not info.stripped_op_list.op:
        info.stripped_op_list.CopyFrom(op_list_of(graph, ops_used_by_graph_def(result.graph_def)))
    if strip_default_attrs:
        strip_graph_default_valued_attrs(result)
    if saver_def is not None:
        result.saver_def.CopyFrom(saver_def)
    for key in graph.get_all_collection_keys() if collection_list is None else collection_list:
        contents = None
        if clear_extraneous_savers and key == GraphKeys.SAVERS and saver_def is not None:
            from_proto: Any = get_from_proto_function(key)
            contents = [from_proto(saver_def)]
        add_collection_def(result, key, graph, export_scope, exclude_nodes, contents)
    return result


def write_versions(info: Any) -> None:
    """Writes the version of this library to a `MetaInfoDef`."""
    info.tensorflow_version, info.tensorflow_git_version = VERSION, GIT_VERSION


def _adopted(name: str, message: Any, kind: Any) -> Any:
    """Returns the message as one of this library's classes; None for None. TypeError, which names `name`, for other
    types than `kind`."""
    if message is None:
        return None
    try:
        found = protos.adopt(message)
    except (TypeError, KeyError):
        found = None
    if not isinstance(found, kind):
        raise TypeError(f"{name} must be of type {kind.__name__}, not {type(message)}")
    return found
