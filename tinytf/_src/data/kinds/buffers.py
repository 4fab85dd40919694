"""Datasets that keep elements of another one: to shuffle them, to have them ready, or to have them again."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data.base import UnaryUnchanged
from tinytf._src.data.kinds.arguments import int64
from tinytf._src.data.owned_resource import OwnedResource
from tinytf._src.data.random_seed import get_seed
from tinytf._src.framework.context import v2_behavior
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes


def _is_v2() -> bool:
    """Whether what a dataset keeps between iterations belongs to the Python object, as in TensorFlow 2, not to the
    iterator."""
    return v2_behavior.enabled() and (executing_eagerly() or get_default_graph().building_function)


class ShuffleDataset(UnaryUnchanged):
    """The elements in random order, drawn from a buffer of `buffer_size`."""

    def __init__(
        self, input_dataset: Any, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: bool | None = None
    ) -> None:
        self._buffer_size = int64(buffer_size, "buffer_size")
        self._seed, self._seed2 = get_seed(seed)
        self._reshuffle_each_iteration = True if reshuffle_each_iteration is None else reshuffle_each_iteration
        variant, attrs = input_dataset._variant_tensor, input_dataset._flat_structure
        if self._reshuffle_each_iteration and _is_v2():
            generator = gen_ops.anonymous_random_seed_generator(seed=self._seed, seed2=self._seed2)
            self._seed_generator = OwnedResource(*generator, "DeleteRandomSeedGenerator")
            shuffled = gen_ops.shuffle_dataset_v2(
                variant, buffer_size=self._buffer_size, seed_generator=self._seed_generator.handle, **attrs
            )
        else:
            shuffled = gen_ops.shuffle_dataset(
                variant,
                buffer_size=self._buffer_size,
                seed=self._seed,
                seed2=self._seed2,
                reshuffle_each_iteration=self._reshuffle_each_iteration,
                **attrs,
            )
        super().__init__(input_dataset, shuffled)


class CacheDataset(UnaryUnchanged):
    """The elements, kept in memory, or in files if `filename` is not empty, once they have all been read."""

    def __init__(self, input_dataset: Any, filename: Any) -> None:
        self._filename = convert_to_tensor(filename, dtype=dtypes.string, name="filename")
        variant, attrs = input_dataset._variant_tensor, input_dataset._flat_structure
        if _is_v2():
            self._cache = OwnedResource(*gen_ops.anonymous_memory_cache(), "DeleteMemoryCache")
            kept = gen_ops.cache_dataset_v2(variant, filename=self._filename, cache=self._cache.handle, **attrs)
        else:
            kept = gen_ops.cache_dataset(variant, filename=self._filename, **attrs)
        super().__init__(input_dataset, kept)


class PrefetchDataset(UnaryUnchanged):
    """The elements, up to `buffer_size` of which are made ready before they are asked for; -1 or None leaves the number
    to the engine."""

    def __init__(self, input_dataset: Any, buffer_size: Any, slack_period: int | None = None) -> None:
        self._buffer_size = int64(-1 if buffer_size is None else buffer_size, "buffer_size")
        prefetched = gen_ops.prefetch_dataset(
            input_dataset._variant_tensor,
            buffer_size=self._buffer_size,
            slack_period=0 if slack_period is None else slack_period,
            **input_dataset._flat_structure,
        )
        super().__init__(input_dataset, prefetched)
