"""GraphDefs in text format, identical to protobuf's own printer but much faster."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf._src import protos


def graph_text(graph_def: bytes) -> str:
    """Returns the text format of a serialized `GraphDef`."""
    from google.protobuf import text_format

    kinds: dict[int, Any] = {5: protos.AttrValue, 6: protos.NodeDef.ExperimentalDebugInfo}

    def print_message(field: int, message: bytes, indent: int) -> str:
        return text_format.MessageToString(kinds[field].FromString(message), indent=indent)

    nodes, rest = _core.graph_nodes_text(graph_def, print_message)
    return nodes + text_format.MessageToString(protos.GraphDef.FromString(rest))
