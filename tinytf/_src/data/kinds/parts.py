"""Datasets with a part of the elements of another one, or with all of them several times."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data.base import UnaryUnchanged
from tinytf._src.data.kinds.arguments import int64
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes


class RepeatDataset(UnaryUnchanged):
    """All elements `count` times; without end if it is None or -1."""

    def __init__(self, input_dataset: Any, count: Any) -> None:
        self._count = constant(-1, dtype=dtypes.int64, name="count") if count is None else int64(count, "count")
        attrs = input_dataset._flat_structure
        super().__init__(input_dataset, gen_ops.repeat_dataset(input_dataset._variant_tensor, self._count, **attrs))


class TakeDataset(UnaryUnchanged):
    """The first `count` elements; all if it is -1."""

    def __init__(self, input_dataset: Any, count: Any) -> None:
        self._count = int64(count, "count")
        attrs = input_dataset._flat_structure
        super().__init__(input_dataset, gen_ops.take_dataset(input_dataset._variant_tensor, self._count, **attrs))


class SkipDataset(UnaryUnchanged):
    """The elements after the first `count`; none if it is -1."""

    def __init__(self, input_dataset: Any, count: Any) -> None:
        self._count = int64(count, "count")
        attrs = input_dataset._flat_structure
        super().__init__(input_dataset, gen_ops.skip_dataset(input_dataset._variant_tensor, self._count, **attrs))


class ShardDataset(UnaryUnchanged):
    """Each element whose number leaves the rest `index` when divided by `num_shards`."""

    def __init__(self, input_dataset: Any, num_shards: Any, index: Any) -> None:
        self._num_shards = int64(num_shards, "num_shards")
        self._index = int64(index, "index")
        shard = gen_ops.shard_dataset(
            input_dataset._variant_tensor, self._num_shards, self._index, **input_dataset._flat_structure
        )
        super().__init__(input_dataset, shard)
