"""Parts of GraphDefs: the nodes of one name scope, which they lack then; all but those of other savers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from tinytf import protos
from tinytf.framework.name_scope import strip_name_scope
from tinytf.saving.collection_defs import UNBOUND_INPUT_PREFIX, is_included

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
    """A GraphDef with the nodes of a scope, named as they are in it, and the names of inputs from outside of it. Those are
    marked by a prefix."""
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
    """Takes the scope from the front of all names in a node."""
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
    """Names of the nodes that save and restore, and of what stands in a scope with them, but for those of one saver.

    Args:
      saver_def: of the saver whose nodes are not among them; None: there is no such.
    """
    kept = set()
    if saver_def is not None:
        kept = {_scope(saver_def.save_tensor_name), _scope(saver_def.restore_op_name)}
    nodes = {node.name for node in graph_def.node if node.op in _SAVER_OPS}
    scopes = {_scope(name) for name in nodes} - nodes - kept
    return {node.name for node in graph_def.node if _is_in(node.name, scopes)}


def _scope(name: str) -> str:
    """The scope that the operation of a name is in; '' for none."""
    return name.partition(":")[0].rpartition("/")[0]


def _is_in(name: str, scopes: Iterable[str]) -> bool:
    return any(name.startswith(f"{scope}/") for scope in scopes)
