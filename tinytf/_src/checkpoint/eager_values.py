"""The variables that a saver writes and restores in eager execution."""

from __future__ import annotations

from functools import partial
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.restoring import restore_errors_about, wanted_by_saveables
from tinytf._src.checkpoint.saveables import SaveableObject, SaveSpec
from tinytf._src.checkpoint.saved_names import validate_and_slice_inputs
from tinytf._src.checkpoint.saver_builder import V2
from tinytf._src.checkpoint.snapshots import HeldValues, name_of_shards
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.scopes.name_scope import device
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.ops.array.placeholders import placeholder
from tinytf._src.session.session import Session


class EagerValues:
    """Writes, copies and restores the values of variables.

    `builder`: applies the ops that write and read. `sharded`, `reshape`, `version`: as of `Saver`.
    """

    def __init__(self, builder: Any, var_list: Any, sharded: bool, reshape: bool, version: int) -> None:
        self._builder = builder
        self._var_list = var_list
        self._sharded = sharded
        self._reshape = reshape
        self._version = version

    def write(self, path: str) -> str:
        """Writes the values; returns the checkpoint's name."""
        return self._builder.save_eagerly(path, self._var_list, self._sharded)

    def take(self, path: str) -> HeldValues:
        """Copies the values. They are written in a graph of its own, independent of the variables' session."""
        copies = [
            (spec.name, spec.slice_spec, tensor.device, tensor.dtype, tensor.numpy())
            for saveable in validate_and_slice_inputs(self._var_list)
            for spec in saveable.specs
            for tensor in [spec.tensor]
        ]
        files = len({place for _, _, place, _, _ in copies})
        name = name_of_shards(path, files) if self._sharded and self._version != V2 else path
        return HeldValues(name, partial(_write_copies, self._builder, copies, self._sharded))

    def restore(self, path: str) -> None:
        """Restores the values. An error names the differences between the checkpoint and the variables."""
        saveables = validate_and_slice_inputs(self._var_list)
        with restore_errors_about(path, lambda: wanted_by_saveables(saveables)):
            self._builder.restore_eagerly(path, saveables, self._reshape)


def _write_copies(builder: Any, copies: list[Any], sharded: bool, path: str) -> str:
    """Writes copied values and drops them; returns the checkpoint's name."""
    with Graph().as_default():
        saveables, feeds = [], {}
        for name, slice_spec, place, dtype, array in copies:
            with device(place):
                tensor = placeholder(dtype, array.shape)
            saveables.append(SaveableObject(tensor, [SaveSpec(tensor, slice_spec, name)], name))
            feeds[tensor] = array
        copies.clear()
        saved = builder.saved(constant(path), saveables, sharded)
        # Runs on the calling thread only, beside the program.
        config = protos.ConfigProto(
            intra_op_parallelism_threads=1, inter_op_parallelism_threads=-1, allow_soft_placement=True
        )
        with Session(config=config) as sess:
            return sess.run(saved, feeds).decode()
