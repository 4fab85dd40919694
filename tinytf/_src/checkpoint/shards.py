"""Sharded saving: one shard for each device."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.device import DeviceSpec, canonical_name
from tinytf._src.framework.scopes.name_scope import control_dependencies, device
from tinytf._src.framework.tensors.constant_op import constant

Shards = Sequence[tuple[str, Sequence[Any]]]  # (device, saveable objects) of each shard


def by_device(saveables: Sequence[Any]) -> Shards:
    """Groups saveable objects by device, ordered by name. ValueError if an object's tensors are on several devices."""
    shards: dict[str, list[Any]] = {}
    for saveable in saveables:
        places = {canonical_name(spec.tensor.device) for spec in saveable.specs}
        if len(places) != 1:
            raise ValueError(f"All tensors of a saveable object must be on the same device: {saveable.name}")
        shards.setdefault(places.pop(), []).append(saveable)
    return sorted(shards.items(), key=lambda shard: shard[0])


def on_cpu(name: str) -> str:
    """Returns the CPU of a device's task."""
    return DeviceSpec.from_string(name).replace(device_type="CPU", device_index=0).to_string()


def add_sharded_save(builder: Any, prefix: Any, shards: Shards, merged: bool) -> Any:
    """Returns a tensor with the checkpoint's name, after all shards are written.

    Args:
      builder: builds the operations of one shard.
      merged: whether temporary shards are merged to one checkpoint (V2); else each is a file of its own (V1).
    """
    beside = gen_ops.string_join([prefix, f"_temp_{uuid.uuid4().hex}/part"]) if merged else prefix
    count = constant(len(shards), name="num_shards")
    names, saved = [], []
    for shard, (place, saveables) in enumerate(shards):
        with device(on_cpu(place) if merged else place):
            names.append(builder.sharded_filename(beside, shard, count))
            saved.append(builder.add_save_ops(names[-1], saveables))
    with control_dependencies([] if executing_eagerly() else [tensor.op for tensor in saved]):
        if not merged:
            return gen_ops.sharded_filespec(prefix, count)
        with device(on_cpu(shards[-1][0])):
            merge = gen_ops.merge_v2_checkpoints(names, prefix, delete_old_dirs=True)
            with control_dependencies([] if merge is None else [merge]):
                return gen_ops.identity(prefix)
