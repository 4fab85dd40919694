"""Visualization of the object graph of a checkpoint."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.python.training.tracking.base import VARIABLE_VALUE_KEY
from tinytf.python.training.tracking.util import object_metadata


def dot_graph_from_checkpoint(save_path: str) -> str:
    """Returns the object graph of a checkpoint in Graphviz's DOT language.

    Variables are blue points, slot variables of optimizers orange ones, and optimizers red nodes.

    Args:
      save_path: string, path prefix of the checkpoint.

    Returns:
      A string.
    """
    graph = object_metadata(save_path)
    reader = tf.train.load_checkpoint(save_path)
    slots = {slot.slot_variable_node_id for node in graph.nodes for slot in node.slot_variables}
    text = "digraph {\n"
    for i, node in enumerate(graph.nodes):
        text += f'N_{i} [shape=point label="" {_looks(node, i in slots, reader)}]\n'
        for child in node.children:
            text += f'N_{i} -> N_{child.node_id} [label="{_escaped(child.local_name)}"]\n'
        for slot in node.slot_variables:
            target = slot.slot_variable_node_id
            text += f'N_{i} -> N_{target} [label="{_escaped(slot.slot_name)}" style=dotted]\n'
            text += f"N_{slot.original_variable_node_id} -> N_{target} [style=dotted]\n"
    return text + "}\n"


def _looks(node: Any, is_slot: bool, reader: Any) -> str:
    if len(node.attributes) == 1 and node.attributes[0].name == VARIABLE_VALUE_KEY:
        [value] = node.attributes
        shape = reader.get_variable_to_shape_map()[value.checkpoint_key]
        dtype = reader.get_variable_to_dtype_map()[value.checkpoint_key].name
        color, kind = ("orange", "Slot variable") if is_slot else ("blue", "Variable")
        return f'color={color} width=.25 tooltip="{kind} {_escaped(value.full_name)} shape={shape} {dtype}"'
    return 'width=.25 color=red,tooltip="Optimizer"' if node.slot_variables else "width=.25"


def _escaped(name: str) -> str:
    return name.replace('"', '\\"')
