"""Extracts parts of GraphDefs: the nodes of a name scope, without nodes of other savers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.collection_defs import UNBOUND_INPUT_PREFIX, is_included
from tinytf._src.framework.scopes.name_scope import strip_name_scope

_SAVER_OPS = frozenset(
    (
        "LegacyRestore",
        "LegacyRestoreSlice",
        "LegacySave",
        "LegacySaveSlice",
        "Restore",
        "RestoreSlice",
        "RestoreV2",
        "Save",
        "SaveSlice",
        "SaveV2",
    )
)


def part_of_graph_def(
    graph_def: Any, scope: str | None, left_out: Collection[str], clear_devices: bool
) -> tuple[Any, list[str]]:
    """Returns a GraphDef with the nodes of a scope, named relative to it, and the names of inputs from outside, which
    get a prefix."""
    part = protos.GraphDef(versions=graph_def.versions, library=graph_def.library)
    unbound: list[str] = []
    for node in graph_def.node:
        if not is_included(node.name, scope, left_out):
            continue
        copy = part.node.add()
        copy.CopyFrom(node)
        if scope:
            _leave_scope(copy, scope, unbound)
        if clear_devices:
            copy.device = ""
    return part, unbound


def _leave_scope(node: Any, scope: str, unbound: list[str]) -> None:
    """Removes the scope from all names in a node."""
    node.name = strip_name_scope(node.name, scope)
    for i, name in enumerate(node.input):
        if name.lstrip("^").startswith(scope):
            node.input[i] = strip_name_scope(name, scope)
        else:
            control = "^" if name.startswith("^") else ""
            node.input[i] = f"{control}{UNBOUND_INPUT_PREFIX}{name.lstrip('^')}"
            unbound.append(node.input[i])
    if "_class" in node.attr:
        groups = [group.decode() for group in node.attr["_class"].list.s]
        inside = [group for group in groups if group.partition("@")[2].startswith(scope)]
        del node.attr["_class"].list.s[:]
        node.attr["_class"].list.s.extend(strip_name_scope(group, scope).encode() for group in inside)
    if node.op in ("Enter", "RefEnter"):
        frame = node.attr["frame_name"]
        frame.s = strip_name_scope(frame.s.decode(), scope).encode()


def other_savers_nodes(graph_def: Any, saver_def: Any) -> set[str]:
    """Returns the names of the nodes that save and restore, and of all nodes in their scopes, except those scopes of
    one saver.

    Args:
      saver_def: the saver to exclude, or None.
    """
    kept = set()
    if saver_def is not None:
        kept = {_scope(saver_def.save_tensor_name), _scope(saver_def.restore_op_name)}
    nodes = {node.name for node in graph_def.node if node.op in _SAVER_OPS}
    scopes = {_scope(name) for name in nodes} - nodes - kept
    return {node.name for node in graph_def.node if _is_in(node.name, scopes)}


def _scope(name: str) -> str:
    """Returns the scope of the named operation; '' for none."""
    return name.partition(":")[0].rpartition("/")[0]


def _is_in(name: str, scopes: Iterable[str]) -> bool:
    return any(name.startswith(f"{scope}/") for scope in scopes)
