"""Reads object-based checkpoints with name-based savers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.checkpoint_reader import new_checkpoint_reader
from tinytf._src.checkpoint.message_files import message_of
from tinytf._src.framework.errors import errors_impl

OBJECT_GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"


def read_object_graph(checkpoint_path: str) -> Any:
    """Reads the `TrackableObjectGraph` of an object-based checkpoint.

    NotFoundError for other checkpoints and if there is none; DataLossError if it is inconsistent.
    """
    data = new_checkpoint_reader(checkpoint_path).get_tensor(OBJECT_GRAPH_KEY)
    try:
        data = data if isinstance(data, bytes) else data.item()
        graph = message_of(protos.TrackableObjectGraph, data, "the message")
    except (TypeError, ValueError) as error:  # not a string, several strings, or not a message
        raise _damaged(checkpoint_path, str(error)) from None
    if not graph.nodes:
        raise _damaged(checkpoint_path, "it has no objects")
    for node in graph.nodes:
        named = [child.node_id for child in node.children]
        for slot in node.slot_variables:
            named += (slot.original_variable_node_id, slot.slot_variable_node_id)
        for i in named:
            if not 0 <= i < len(graph.nodes):
                raise _damaged(checkpoint_path, f"it refers to object {i}, but has {len(graph.nodes)} objects")
    return graph


def _damaged(path: str, why: str) -> errors_impl.DataLossError:
    return errors_impl.DataLossError(None, None, f"{path}: the object graph is damaged: {why}")


def object_graph_key_mapping(checkpoint_path: str) -> dict[str, str]:
    """Returns a dict from variable names to keys of an object-based checkpoint. NotFoundError for other checkpoints."""
    graph = read_object_graph(checkpoint_path)
    return {attr.full_name: attr.checkpoint_key for node in graph.nodes for attr in node.attributes}


def renamed_saveables(saveables: Iterable[Any], keys: Mapping[str, str]) -> list[Any]:
    """Changes the names under which saveable objects are read to the given keys. NotFoundError if names are missing
    there."""
    saveables = list(saveables)
    names = {spec.name for saveable in saveables for spec in saveable.specs}
    missing = names - keys.keys()
    if missing:
        raise errors_impl.NotFoundError(
            None,
            None,
            f"\n\nExisting variables not in the checkpoint: {', '.join(sorted(missing))}\n\n"
            f"Variables names when this checkpoint was written which don't exist now: {', '.join(sorted(keys.keys() - names))}"
            f"\n\n({len(names & keys.keys())} variable name(s) did match)\n\n"
            "Could not find some variables in the checkpoint (see names above). tf.train.Checkpoint "
            "wrote it, and the saver looks up variables by the names that they had when it was written. "
            "Pass Saver(var_list=...) a dict that maps the former names to the variables.",
        )
    for saveable in saveables:
        for spec in saveable.specs:
            spec.name = keys[spec.name]
    return saveables
