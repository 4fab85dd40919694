"""Builds the operations of savers, with TensorFlow's names and in its order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src import protos
from tinytf._src.checkpoint.saveables import (
    ReferenceVariableSaveable,
    ResourceVariableSaveable,
    SaveableObject,
    SaveSpec,
)
from tinytf._src.checkpoint.saved_names import validate_and_slice_inputs
from tinytf._src.checkpoint.shards import add_sharded_save, by_device, on_cpu
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.scopes.name_scope import device, name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.ops.array.placeholders import placeholder_with_default
from tinytf._src.ops.array.shape_ops import shape as shape_of
from tinytf._src.ops.control_flow.dependencies import group, with_dependencies
from tinytf._src.variables.partitioned_variable import PartitionedVariable

V1, V2 = 1, 2  # checkpoint formats of SaverDef


class BaseSaverBuilder:
    """Builds the operations of a `Saver`. Programs may override how tensors are written and read.

    Args:
      write_version: the checkpoint format, of `SaverDef`.
    """

    SaveSpec = SaveSpec
    SaveableObject = SaveableObject
    VariableSaveable = ReferenceVariableSaveable
    ResourceVariableSaveable = ResourceVariableSaveable

    def __init__(self, write_version: int = V2) -> None:
        self._write_version = write_version

    def save_op(self, filename_tensor: Any, saveables: Sequence[Any]) -> Any:
        """Returns the operation that writes saveable objects to one file (V1), or to one shard with that prefix
        (V2)."""
        specs = [spec for saveable in saveables for spec in saveable.specs]
        names = [spec.name for spec in specs]
        tensors = [spec.tensor for spec in specs]
        slices = [spec.slice_spec for spec in specs]
        if self._write_version == V1:
            return gen_ops.save_slices(filename_tensor, names, slices, tensors, name="save")
        if self._write_version == V2:
            return gen_ops.save_v2(filename_tensor, names, slices, tensors)
        raise RuntimeError(f"Unexpected write_version: {self._write_version}")

    def bulk_restore(
        self, filename_tensor: Any, saveables: Sequence[Any], preferred_shard: int, restore_sequentially: bool
    ) -> list[Any]:
        """Returns the tensors that read all saveable objects, here by a `restore_op` for each."""
        tensors: list[Any] = []
        for saveable in saveables:
            with device(on_cpu(saveable.device) if saveable.device else None):
                tensors += self.restore_op(filename_tensor, saveable, preferred_shard)
        return tensors

    def restore_op(self, filename_tensor: Any, saveable: Any, preferred_shard: int) -> list[Any]:
        """Returns the tensors that read one saveable object."""
        return [
            gen_ops.restore_v2(filename_tensor, [spec.name], [spec.slice_spec], [spec.dtype.base_dtype])[0]
            for spec in saveable.specs
        ]

    def sharded_filename(self, filename_tensor: Any, shard: int, num_shards: Any) -> Any:
        """Returns the name of one of several shards."""
        return gen_ops.sharded_filename(filename_tensor, shard, num_shards)

    def add_save_ops(self, filename_tensor: Any, saveables: Sequence[Any]) -> Any:
        """Returns the name of the file, after the saveable objects are written."""
        return with_dependencies([self.save_op(filename_tensor, saveables)], filename_tensor)

    def add_restore_ops(
        self,
        filename_tensor: Any,
        saveables: Sequence[Any],
        restore_sequentially: bool,
        reshape: bool,
        preferred_shard: int = -1,
        name: str = "restore_all",
    ) -> Any:
        """Returns the operation that restores all saveable objects from the file except the ones restored apart."""
        saveables = [saveable for saveable in saveables if not getattr(saveable, "is_restored_apart", False)]
        tensors: list[Any] = []
        if saveables:
            tensors = self.bulk_restore(filename_tensor, saveables, preferred_shard, restore_sequentially)
        begin, restores = 0, []
        for saveable in saveables:
            shapes = [_shape(spec.tensor) for spec in saveable.specs] if reshape else None
            end = begin + len(saveable.specs)
            restores.append(saveable.restore(tensors[begin:end], shapes))
            begin = end
        return group(*restores, name=name)

    def build(
        self,
        names_to_saveables: Any,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        filename: str | None = "model",
    ) -> Any:
        """Adds the operations of a saver to the default graph; returns the `SaverDef`. Arguments as of `Saver`."""
        saveables = validate_and_slice_inputs(names_to_saveables)
        with name_scope(name, "save", [saveable.op for saveable in saveables]):
            file = placeholder_with_default(filename or "model", shape=(), name="filename")
            file = placeholder_with_default(file, shape=(), name="Const")
            if sharded:
                shards = by_device(saveables)
                saved = add_sharded_save(self, file, shards, self._write_version == V2)
                parts = []
                for shard, (place, members) in enumerate(shards):
                    with device(place):
                        parts.append(
                            self.add_restore_ops(file, members, restore_sequentially, reshape, shard, "restore_shard")
                        )
                restored = group(*parts, name="restore_all")
            else:
                saved = self.add_save_ops(file, saveables)
                restored = self.add_restore_ops(file, saveables, restore_sequentially, reshape)
        _join_listed_pieces()
        return protos.SaverDef(
            filename_tensor_name=file.name,
            save_tensor_name=saved.name,
            restore_op_name=restored.name,
            max_to_keep=max_to_keep or 0,
            sharded=sharded,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            version=self._write_version,
        )

    def save_eagerly(self, path: str, names_to_saveables: Any, sharded: bool) -> str:
        """Writes values in eager execution; returns the checkpoint's name."""
        saveables = validate_and_slice_inputs(names_to_saveables)
        return self.saved(constant(path), saveables, sharded).numpy().decode()

    def saved(self, filename_tensor: Any, saveables: Sequence[Any], sharded: bool) -> Any:
        """Returns a tensor with the checkpoint's name, after the saveable objects are written."""
        if sharded:
            return add_sharded_save(self, filename_tensor, by_device(saveables), self._write_version == V2)
        return self.add_save_ops(filename_tensor, saveables)

    def restore_eagerly(self, path: str, saveables: Sequence[Any], reshape: bool) -> None:
        """Restores values in eager execution."""
        self.add_restore_ops(constant(path), saveables, False, reshape)


class BulkSaverBuilder(BaseSaverBuilder):
    """Reads all tensors by one operation."""

    def bulk_restore(
        self, filename_tensor: Any, saveables: Sequence[Any], preferred_shard: int, restore_sequentially: bool
    ) -> list[Any]:
        specs = [spec for saveable in saveables for spec in saveable.specs]
        names = [spec.name for spec in specs]
        slices = [spec.slice_spec for spec in specs]
        with device("cpu:0"):
            return gen_ops.restore_v2(filename_tensor, names, slices, [spec.dtype.base_dtype for spec in specs])


def _shape(tensor: Any) -> Any:
    shape = tensor.get_shape()
    return shape if shape.is_fully_defined() else shape_of(tensor)


def _join_listed_pieces() -> None:
    """Adds the joined tensors of partitioned variables in collections, which imported collections look up by name."""
    graph = get_default_graph()
    for key in graph.get_all_collection_keys():
        for value in graph.get_collection(key):
            if isinstance(value, PartitionedVariable) and graph._nodes.named(value.name) is None:
                value.as_tensor()
