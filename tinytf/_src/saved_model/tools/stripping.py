"""Prunes graphs to the nodes between given inputs and outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.message_files import read_message, write_message
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph_defs.graph_util import extract_sub_graph


@called_by_users
def strip_unused(
    input_graph_def: Any,
    input_node_names: Sequence[str],
    output_node_names: Sequence[str],
    placeholder_type_enum: Any,
) -> Any:
    """Returns the part of a `GraphDef` that the outputs need, with inputs replaced by placeholders.

    Args:
      input_node_names: names of the nodes to replace by placeholders.
      output_node_names: names of the output nodes.
      placeholder_type_enum: dtype enum of all placeholders, or a list with one for each.

    Raises:
      ValueError: for names of tensors instead of nodes.
      KeyError: for inputs that the graph lacks.
    """
    types = dict(zip(input_node_names, _types(placeholder_type_enum, len(input_node_names)), strict=True))
    for name in types:
        if ":" in name:
            raise ValueError(f"Name '{name}' appears to refer to a Tensor, not a Operation.")
    missing = types.keys() - {node.name for node in input_graph_def.node}
    if missing:
        raise KeyError(f"The following input nodes were not found: {missing}")
    replaced = protos.GraphDef()
    replaced.node.extend(
        _placeholder(node, types[node.name]) if node.name in types else node for node in input_graph_def.node
    )
    part = extract_sub_graph(replaced, output_node_names)
    part.library.CopyFrom(input_graph_def.library)
    part.versions.CopyFrom(input_graph_def.versions)
    return part


def _types(given: Any, count: int) -> list[Any]:
    return list(given) if isinstance(given, (list, tuple)) else [given] * count


def _placeholder(node: Any, dtype: Any) -> Any:
    made = protos.NodeDef(op="Placeholder", name=node.name)
    made.attr["dtype"].type = dtype
    for attr in ("_output_shapes", "shape"):
        if attr in node.attr:
            made.attr[attr].CopyFrom(node.attr[attr])
    return made


@called_by_users
def strip_unused_from_files(
    input_graph: str,
    input_binary: bool,
    output_graph: str,
    output_binary: bool,
    input_node_names: str,
    output_node_names: str,
    placeholder_type_enum: Any,
) -> None:
    """Does the same from file to file, reading binary or text files; names are separated by commas."""
    graph = strip_unused(
        read_message(input_graph, protos.GraphDef),
        input_node_names.split(","),
        output_node_names.split(","),
        placeholder_type_enum,
    )
    write_message(output_graph, graph, as_text=not output_binary)
