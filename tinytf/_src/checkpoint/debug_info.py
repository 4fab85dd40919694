"""Serializes the creation sites of operations."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.scopes.name_scope import prepend_name_scope


def graph_debug_info(graph: Graph, graph_def: Any, scope: str | None) -> Any:
    """Returns the `GraphDebugInfo` of the nodes of a GraphDef: their creation stacks, innermost frame first.

    Args:
      scope: the name scope in `graph` that the node names lack.
    """
    info = protos.GraphDebugInfo()
    files: dict[str, int] = {}
    for node in graph_def.node:
        lines = info.traces[node.name].file_line_cols
        for file, line, *_ in reversed(graph.get_operation_by_name(prepend_name_scope(node.name, scope)).traceback):
            lines.add(file_index=files.setdefault(file, len(files)), line=line)
    info.files.extend(files)
    return info
