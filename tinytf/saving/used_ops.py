"""The ops that a graph uses: their declarations, and attrs that have the declared default."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any

from tinytf import _core, protos
from tinytf.framework.op_spec import declared_ops

# Of functions' arguments and results; no graph that is imported needs their declarations.
_INTERNAL = frozenset(("_Arg", "_ArrayToList", "_ListToArray", "_Retval"))


def ops_used_by_graph_def(graph_def: Any) -> list[str]:
    """Names of the ops of a graph's nodes, and of those in functions that are the op of a node."""
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
    """The `OpList` of the ops that a graph uses, without documentation. ValueError if one is not declared."""
    found = protos.OpList()
    found.CopyFrom(stripped_op_list(tuple(ops_used_by_graph_def(graph_def))))
    return found


def op_list_of(graph: Any, names: Iterable[str]) -> Any:
    """The `OpList` of those of the ops `names` that are declared, here or, for operations that `graph` got by an import, by
    who made that graph. Without documentation, ordered by name; not to be changed."""
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


@functools.lru_cache(maxsize=8)  # a program exports a graph or two, again and again
def stripped_op_list(names: tuple[str, ...]) -> Any:
    """The `OpList` of ops, without documentation. Not to be changed. ValueError if one is not declared."""
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
    """The `OpDef` of an op; None if it is not declared. Not to be changed."""
    try:
        return protos.OpDef.FromString(_core.op_def_proto(name))
    except RuntimeError:
        return None


def strip_graph_default_valued_attrs(meta_graph_def: Any) -> None:
    """Drops the attrs of all nodes that have their default, so that programs can read the graph that do not know them
    yet; the message says so then."""
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
