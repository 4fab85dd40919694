"""Savers that write what is on one device to one shard."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf.framework.constant_op import constant
from tinytf.framework.device import DeviceSpec, canonical_name
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.name_scope import control_dependencies, device

Shards = Sequence[tuple[str, Sequence[Any]]]  # the device of each, and its saveable objects


def by_device(saveables: Sequence[Any]) -> Shards:
    """Saveable objects by the device that their tensors are on, by its name. ValueError if one is on several."""
    shards: dict[str, list[Any]] = {}
    for saveable in saveables:
        places = {canonical_name(spec.tensor.device) for spec in saveable.specs}
        if len(places) != 1:
            raise ValueError(f"All tensors of a saveable object must be on the same device: {saveable.name}")
        shards.setdefault(places.pop(), []).append(saveable)
    return sorted(shards.items(), key=lambda shard: shard[0])


def on_cpu(name: str) -> str:
    """The processor that a device belongs to."""
    return DeviceSpec.from_string(name).replace(device_type="CPU", device_index=0).to_string()


def add_sharded_save(builder: Any, prefix: Any, shards: Shards, merged: bool) -> Any:
    """What a checkpoint is called when all its shards are written.

    Args:
      builder: makes the operations of one shard.
      merged: shards are written beside and become one checkpoint in the end (V2); else each is a file of its own (V1).
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
