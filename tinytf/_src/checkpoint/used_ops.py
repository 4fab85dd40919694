"""The ops that a graph uses: their declarations and default attrs."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any

from tinytf import _core
from tinytf._src import protos
from tinytf._src.framework.declarations.op_spec import declared_ops

# Ops of function arguments and results; imported graphs do not need their declarations.
_INTERNAL = frozenset(("_Arg", "_ArrayToList", "_ListToArray", "_Retval"))


def ops_used_by_graph_def(graph_def: Any) -> list[str]:
    """Returns the names of the ops of a graph's nodes, including nodes of functions that are used as ops."""
    bodies = {function.signature.name: function.node_def for function in graph_def.library.function}
    used: set[str] = set()
    pending = [graph_def.node]
    while pending:
        for op in {node.op for node in pending.pop()} - used:
            used.add(op)
            if op in bodies:
                pending.append(bodies[op])
    return sorted(used - bodies.keys())


def stripped_op_list_for_graph(graph_def: Any) -> Any:
    """Returns the `OpList` of the ops that a graph uses, without documentation. ValueError for undeclared ops."""
    found = protos.OpList()
    found.CopyFrom(stripped_op_list(tuple(ops_used_by_graph_def(graph_def))))
    return found


def op_list_of(graph: Any, names: Iterable[str]) -> Any:
    """Returns the `OpList` of the declared ops in `names`, without documentation, ordered by name; must not be changed.
    For imported operations, the declarations of the graph's producer are used if there are none here."""
    names = sorted(names)
    undeclared = [name for name in names if name not in _INTERNAL and name not in declared_ops()]
    if not undeclared:
        return stripped_op_list(tuple(names))
    found = protos.OpList()
    for name in names:
        declaration = graph._functions.producers_ops.get(name) if name in undeclared else _declaration(name)
        if name not in _INTERNAL and declaration is not None:
            found.op.append(declaration)
    return found


@functools.lru_cache(maxsize=8)  # a program exports only a few graphs, but repeatedly
def stripped_op_list(names: tuple[str, ...]) -> Any:
    """Returns the `OpList` of ops, without documentation; must not be changed. ValueError for undeclared ops."""
    found = protos.OpList()
    for name in names:
        if name in _INTERNAL:
            continue
        declaration = _declaration(name)
        if declaration is None:
            raise ValueError(f"Op {name} is used by the graph, but is not registered")
        found.op.append(declaration)
    return found


@functools.cache
def _declaration(name: str) -> Any:
    """Returns the `OpDef` of an op, which must not be changed; None if it is not declared."""
    try:
        return protos.OpDef.FromString(_core.op_def_proto(name))
    except RuntimeError:
        return None


def strip_graph_default_valued_attrs(meta_graph_def: Any) -> None:
    """Removes attrs with default values from all nodes, and notes that in the message. Programs that do not know newer
    attrs can read it then."""
    for node in _all_nodes(meta_graph_def.graph_def):
        for name, default in _defaults(node.op).items():
            if name in node.attr and node.attr[name] == default:
                del node.attr[name]
    meta_graph_def.meta_info_def.stripped_default_attrs = True


def _all_nodes(graph_def: Any) -> Iterator[Any]:
    yield from graph_def.node
    for function in graph_def.library.function:
        yield from function.node_def


def _defaults(op: str) -> dict[str, Any]:
    declaration = _declaration(op)
    if declaration is None:  # a function
        return {}
    return {attr.name: attr.default_value for attr in declaration.attr if attr.HasField("default_value")}
