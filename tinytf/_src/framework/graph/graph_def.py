"""Conversion of graphs, nodes and declarations to messages: `GraphDef`, `NodeDef`, `OpDef`."""

from __future__ import annotations

import functools
from typing import Any

from tinytf import _core
from tinytf._src import protos
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.bases import BaseGraph, BaseOperation


def node_def(op: BaseOperation) -> Any:
    """The `NodeDef` of an operation, with all attrs: given, inferred and defaulted ones."""
    try:
        return protos.NodeDef.FromString(_core.node_def(op.graph._core, op._id))
    except errors_impl.InvalidArgumentError as e:  # values are too large for a message
        raise ValueError(e.message) from None


def graph_def(graph: BaseGraph, from_version: int | None = None, add_shapes: bool = False) -> Any:
    """The `GraphDef` of a graph.

    Args:
      from_version: exports only operations with larger ids.
      add_shapes: whether nodes with outputs get the attr `_output_shapes`, a list of their static shapes.
    """
    return protos.GraphDef.FromString(graph_def_bytes(graph, from_version, add_shapes))


def graph_def_bytes(graph: BaseGraph, from_version: int | None = None, add_shapes: bool = False) -> bytes:
    """The serialized `GraphDef`, written by the engine; arguments as for `graph_def`. Raises ValueError if it is too
    large for a message."""
    try:
        data: bytes = _core.graph_def(graph._core, from_version or 0, add_shapes, *graph._graph_def_versions)
    except errors_impl.InvalidArgumentError as e:
        raise ValueError(e.message) from None
    return data


def op_def(name: str) -> Any:
    """The `OpDef` of a declared op, without documentation. Raises RuntimeError if there is no such op."""
    return protos.OpDef.FromString(_core.op_def_proto(name))


@functools.cache
def registered_ops() -> dict[str, Any]:
    """The `OpDef`s of all declared ops, by name."""
    return {name: op_def(name) for name in _core.op_names()}
