"""Serializes graphs without building messages of their nodes: the core writes the nodes' bytes."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.collection_defs import add_collection_def
from tinytf._src.checkpoint.meta_graph import write_versions
from tinytf._src.checkpoint.used_ops import op_list_of, ops_used_by_graph_def
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.graph_def import graph_def_bytes
from tinytf._src.framework.graph_defs.varint import varint

_GRAPH_DEF = 2  # field number in MetaGraphDef


def meta_graph_bytes(graph: Graph, saver_def: Any = None, graph_def: bytes | None = None) -> bytes:
    """Returns the bytes of `create_meta_graph_def(graph=graph, saver_def=saver_def)`.

    Args:
      graph_def: the serialized `GraphDef` with shapes, if the caller has it.
    """
    if graph_def is None:
        graph_def = graph_def_bytes(graph, add_shapes=True)
    first = protos.MetaGraphDef()
    write_versions(first.meta_info_def)
    first.meta_info_def.stripped_op_list.CopyFrom(op_list_of(graph, _used_ops(graph, graph_def)))
    rest = protos.MetaGraphDef(saver_def=saver_def)
    for key in graph.get_all_collection_keys():
        add_collection_def(rest, key, graph)
    head = varint(_GRAPH_DEF << 3 | 2) + varint(len(graph_def))
    return b"".join((first.SerializeToString(), head, graph_def, rest.SerializeToString()))


def _used_ops(graph: Graph, graph_def: bytes) -> tuple[str, ...]:
    types = {op._spec.name for op in graph._nodes.ops}
    if not types.isdisjoint(graph._functions.specs):
        return tuple(ops_used_by_graph_def(protos.GraphDef.FromString(graph_def)))
    return tuple(sorted(types))
