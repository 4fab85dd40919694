"""What messages call the objects of a checkpoint."""

from __future__ import annotations

from collections import deque
from typing import Any


def node_names(graph: Any) -> dict[int, str]:
    """Number of a node of a `TrackableObjectGraph` → the way to it from the root, or whose slot it is."""
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
    for i in range(len(graph.nodes)):  # what nothing leads to
        names.setdefault(i, f"object {i}")
    return names
