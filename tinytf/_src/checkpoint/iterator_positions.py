"""Positions of iterators as values of checkpoints."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.values import dtypes


def position_of(iterator_resource: Any) -> Any:
    """Returns the tensor of an iterator's position, a scalar variant."""
    return gen_ops.serialize_iterator(iterator_resource)


def restored_position(iterator_resource: Any, filename: Any, name: str) -> Any:
    """Returns the operation that sets an iterator to the position of that name in a checkpoint."""
    stored = gen_ops.restore_v2(filename, [name], [""], [dtypes.variant])[0]
    return gen_ops.deserialize_iterator(iterator_resource, stored)
