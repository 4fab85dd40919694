"""Snapshots of variables in eager execution, which are written to checkpoints later."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.saveables import SaveableObject, SaveSpec
from tinytf._src.checkpoint.saved_names import validate_and_slice_inputs
from tinytf._src.checkpoint.saver_builder import V2
from tinytf._src.checkpoint.snapshots import Write, name_of_shards
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.scopes.name_scope import device
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.ops.array.placeholders import placeholder
from tinytf._src.session.session import Session


def take_eagerly(builder: Any, var_list: Any, path: str, sharded: bool, version: int) -> tuple[str, Write]:
    """Copies the values of variables. Returns the name of the checkpoint, and a function that writes it, once, in a
    graph of its own, independent of the variables' session."""
    values = [
        (spec.name, spec.slice_spec, tensor.device, tensor.dtype, tensor.numpy())
        for saveable in validate_and_slice_inputs(var_list)
        for spec in saveable.specs
        for tensor in [spec.tensor]
    ]
    files = len({place for _, _, place, _, _ in values})

    def write(path: str) -> str:
        with Graph().as_default():
            saveables, feeds = [], {}
            for name, slice_spec, place, dtype, array in values:
                with device(place):
                    tensor = placeholder(dtype, array.shape)
                saveables.append(SaveableObject(tensor, [SaveSpec(tensor, slice_spec, name)], name))
                feeds[tensor] = array
            values.clear()
            saved = builder.saved(constant(path), saveables, sharded)
            # Runs on the calling thread only, beside the program.
            config = protos.ConfigProto(
                intra_op_parallelism_threads=1, inter_op_parallelism_threads=-1, allow_soft_placement=True
            )
            with Session(config=config) as sess:
                return sess.run(saved, feeds).decode()

    return name_of_shards(path, files) if sharded and version != V2 else path, write
