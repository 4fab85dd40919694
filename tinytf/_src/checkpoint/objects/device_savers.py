"""Writes saveable objects to one checkpoint with a shard for each device."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.checkpoint.shards import on_cpu
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.scopes.name_scope import control_dependencies, device
from tinytf._src.framework.tensors.constant_op import constant


class MultiDeviceSaver:
    """Adds operations that save and restore saveable objects; each call adds new ones."""

    def __init__(self, saveables: Iterable[Any]) -> None:
        shards: dict[str, list[Any]] = {}
        for saveable in saveables:
            shards.setdefault(saveable.device, []).append(saveable)
        self._shards = sorted(shards.items(), key=lambda shard: shard[0])

    def save(self, file_prefix: Any) -> Any:
        """Returns the operation that writes all objects under a name tensor; in eager execution, writes them and
        returns None."""
        with device("cpu:0"):
            beside = gen_ops.string_join([file_prefix, f"_temp_{uuid.uuid4().hex}/part"])
        count = constant(len(self._shards), name="num_shards")
        names, saved = [], []
        for shard, (place, saveables) in enumerate(self._shards):
            with device(on_cpu(place)):
                names.append(gen_ops.sharded_filename(beside, shard, count))
            with device(place):
                saved.append(_save(names[-1], saveables))
        with (
            control_dependencies([] if executing_eagerly() else saved),
            device(on_cpu(self._shards[-1][0])),
        ):
            return gen_ops.merge_v2_checkpoints(names, file_prefix, delete_old_dirs=True)

    def restore(self, file_prefix: Any) -> dict[str, Any]:
        """Returns the operations that restore the objects, by the objects' names."""
        operations: dict[str, Any] = {}
        for place, saveables in self._shards:
            with device(place):
                operations.update(_restore(file_prefix, saveables))
        return operations


def _save(file_prefix: Any, saveables: Iterable[Any]) -> Any:
    specs = [spec for saveable in saveables for spec in saveable.specs]
    tensors = [spec.tensor for spec in specs]
    with device("cpu:0"):
        return gen_ops.save_v2(file_prefix, [spec.name for spec in specs], [spec.slice_spec for spec in specs], tensors)


def _restore(file_prefix: Any, saveables: list[Any]) -> dict[str, Any]:
    specs = [spec for saveable in saveables for spec in saveable.specs]
    with device("cpu:0"):
        tensors = iter(
            gen_ops.restore_v2(
                file_prefix,
                [spec.name for spec in specs],
                [spec.slice_spec for spec in specs],
                [spec.dtype.base_dtype for spec in specs],
            )
        )
    return {saveable.name: saveable.restore([next(tensors) for _ in saveable.specs], None) for saveable in saveables}
