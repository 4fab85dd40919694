"""Graphs, nodes and declarations as TensorFlow's messages: `GraphDef`, `NodeDef`, `OpDef`."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from tinytf import _core, protos
from tinytf.framework import errors_impl

if TYPE_CHECKING:
    from tinytf.framework.graph import Graph
    from tinytf.framework.operation import Operation


def node_def(op: Operation) -> Any:
    """The `NodeDef` of an operation, with every attr: given, inferred and default ones."""
    try:
        return protos.NodeDef.FromString(_core.node_def(op.graph._core, op._id))
    except errors_impl.InvalidArgumentError as e:  # values that are too large for a message
        raise ValueError(e.message) from None


def graph_def(graph: Graph, from_version: int | None = None, add_shapes: bool = False) -> Any:
    """The `GraphDef` of a graph.

    Args:
      from_version: only operations with greater ids.
      add_shapes: add the attr `_output_shapes`, a list of the static shapes, to each node with outputs.
    """
    return protos.GraphDef.FromString(graph_def_bytes(graph, from_version, add_shapes))


def graph_def_bytes(graph: Graph, from_version: int | None = None, add_shapes: bool = False) -> bytes:
    """The bytes of the graph's `GraphDef`, as the engine writes them; arguments as there. ValueError where it is too large for
    a message."""
    try:
        data: bytes = _core.graph_def(graph._core, from_version or 0, add_shapes, *graph._graph_def_versions)
    except errors_impl.InvalidArgumentError as e:
        raise ValueError(e.message) from None
    return data


def op_def(name: str) -> Any:
    """The `OpDef` of a declared op, without its documentation. RuntimeError if there is no such op."""
    return protos.OpDef.FromString(_core.op_def_proto(name))


@functools.cache
def registered_ops() -> dict[str, Any]:
    """All declared ops by name, each as `op_def` has it."""
    return {name: op_def(name) for name in _core.op_names()}
