"""Readable names of the objects in a checkpoint."""

from __future__ import annotations

from collections import deque
from typing import Any


def node_names(graph: Any) -> dict[int, str]:
    """Returns readable names by node number of a `TrackableObjectGraph`: the path from the root, or the owner of the
    slot."""
    names = {0: "(root)"}
    pending = deque([0])
    while pending:
        current = pending.popleft()
        for child in graph.nodes[current].children:
            if child.node_id not in names:
                names[child.node_id] = f"{names[current]}.{child.local_name}"
                pending.append(child.node_id)
    for i, node in enumerate(graph.nodes):
        for slot in node.slot_variables:
            owner, variable = names.get(i, str(i)), names.get(slot.original_variable_node_id, "?")
            names[slot.slot_variable_node_id] = f"{owner}'s state '{slot.slot_name}' for {variable}"
    for i in range(len(graph.nodes)):  # unreachable nodes
        names.setdefault(i, f"object {i}")
    return names
