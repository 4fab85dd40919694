"""Elements in random order several times, in one operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data.dataset import UnaryUnchangedStructureDataset
from tinytf._src.data.kinds.arguments import int64, optional_tensor
from tinytf._src.data.random_seed import get_seed
from tinytf._src.exports import tf_export
from tinytf._src.platform.deprecation import deprecated


@tf_export("data.experimental.shuffle_and_repeat")
@deprecated(
    None,
    "Use `tf.data.Dataset.shuffle(buffer_size, seed)` followed by `tf.data.Dataset.repeat(count)`. Static tf.data "
    "optimizations will take care of using the fused implementation.",
)
def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Callable[[Any], Any]:
    """The elements several times, each time in another random order.

    Args:
      buffer_size: int or int64 tensor, number of elements among which the next one is drawn.
      count: int or int64 tensor, how many times; None and -1 mean without end.
      seed: int or int64 tensor; None means the graph-level seed, if there is one.

    Returns:
      Function for `tf.data.Dataset.apply`.
    """

    def transformation(dataset: Any) -> Any:
        return _ShuffleAndRepeatDataset(dataset, buffer_size, count, seed)

    return transformation


class _ShuffleAndRepeatDataset(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: Any, buffer_size: Any, count: Any, seed: Any) -> None:
        buffer_size = int64(buffer_size, "buffer_size")
        count = optional_tensor("count", count, -1)
        first, second = get_seed(seed)
        shuffled = gen_ops.shuffle_and_repeat_dataset(
            input_dataset._variant_tensor,
            buffer_size=buffer_size,
            count=count,
            seed=first,
            seed2=second,
            **input_dataset._flat_structure,
        )
        super().__init__(input_dataset, shuffled)
