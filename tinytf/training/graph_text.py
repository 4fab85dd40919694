"""GraphDefs as text, as protobuf's own printer has them, in a small part of its time."""

from __future__ import annotations

from typing import Any

from tinytf import _core, protos


def graph_text(graph_def: Any) -> str:
    """The text of a `GraphDef`."""
    from google.protobuf import text_format

    kinds: dict[int, Any] = {5: protos.AttrValue, 6: protos.NodeDef.ExperimentalDebugInfo}

    def print_message(field: int, message: bytes, indent: int) -> str:
        return text_format.MessageToString(kinds[field].FromString(message), indent=indent)

    rest = protos.GraphDef(version=graph_def.version)
    for field in ("versions", "library"):
        if graph_def.HasField(field):
            getattr(rest, field).CopyFrom(getattr(graph_def, field))
    nodes = _core.graph_nodes_text(graph_def.SerializeToString(), print_message)
    return nodes + text_format.MessageToString(rest)
