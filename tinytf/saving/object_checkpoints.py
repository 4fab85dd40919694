"""Checkpoints that objects wrote, read by savers: what variables are called in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tinytf import protos
from tinytf.framework import errors_impl
from tinytf.saving.checkpoint_reader import new_checkpoint_reader

OBJECT_GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"


def object_graph_key_mapping(checkpoint_path: str) -> dict[str, str]:
    """Full name of a variable → its key in a checkpoint that objects wrote. NotFoundError for other checkpoints."""
    data = new_checkpoint_reader(checkpoint_path).get_tensor(OBJECT_GRAPH_KEY)
    graph = protos.TrackableObjectGraph.FromString(data if isinstance(data, bytes) else data.item())
    return {attr.full_name: attr.checkpoint_key for node in graph.nodes for attr in node.attributes}


def renamed_saveables(saveables: Iterable[Any], keys: Mapping[str, str]) -> list[Any]:
    """Saveable objects that read under those keys what they would read under the variables' names. NotFoundError if some are
    not among them."""
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
            "Could not find some variables in the checkpoint (see names above): objects wrote it "
            "(tf.train.Checkpoint), and the saver looks for variables by the names that they had then. "
            "Saver(var_list=...) with a dict can give variables their former names.",
        )
    for saveable in saveables:
        for spec in saveable.specs:
            spec.name = keys[spec.name]
    return saveables
