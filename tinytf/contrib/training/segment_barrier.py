"""The barrier that holds the segments of sequences until their states are known."""

from __future__ import annotations

from typing import Any, NamedTuple

import tinytf as tf
from tinytf.python.ops.data_flow_ops import Barrier

_OF_SEGMENTS = ("length", "total_length", "next_key", "sequence", "sequence_count")


class ReceivedSegments(NamedTuple):
    """The tensors of a batch of segments."""

    indices: tf.Tensor
    keys: tf.Tensor
    sequence: tf.Tensor
    sequence_count: tf.Tensor
    next_key: tf.Tensor
    length: tf.Tensor
    total_length: tf.Tensor
    context: dict[str, Any]
    sequences: dict[str, Any]
    batch_size: tf.Tensor
    is_last: tf.Tensor  # whether a segment is the last one of its sequence
    states: dict[str, Any]


class SegmentBarrier:
    """A `Barrier` whose elements are segments of `num_unroll` time steps, with the context and states of their
    sequences. The three dicts have the tensors of an example."""

    def __init__(
        self, sequences: dict[str, Any], context: dict[str, Any], states: dict[str, Any], num_unroll: int
    ) -> None:
        self._kinds = {"sequence": sequences, "context": context, "state": states}
        names = [*_OF_SEGMENTS, *[(kind, name) for kind, values in self._kinds.items() for name in values]]
        self._places = {name: place for place, name in enumerate(names)}
        segments = [[num_unroll, *value.get_shape().as_list()[1:]] for value in sequences.values()]
        others = [*context.values(), *states.values()]
        self.barrier = Barrier(
            types=[
                *[tf.string if name == "next_key" else tf.int32 for name in _OF_SEGMENTS],
                *[value.dtype for value in [*sequences.values(), *others]],
            ],
            shapes=[*[()] * len(_OF_SEGMENTS), *segments, *[value.get_shape().as_list() for value in others]],
        )

    def insert(self, place: Any, keys: tf.Tensor, value: tf.Tensor, name: str) -> tf.Operation:
        """Returns the operation that inserts a component of segments: one of their own, or a pair of a kind and a
        name."""
        return self.barrier.insert_many(self._places[place], keys, value, name=f"Barrier{name}")

    def take(self, batch_size: Any, allow_small_batch: bool, examples: tf.QueueBase) -> ReceivedSegments:
        """Returns the next batch. Of the queue `examples` an element is removed for each sequence that it ends."""
        indices, keys, values = self.barrier.take_many(batch_size, allow_small_batch, name="BarrierTakeMany")[:3]
        sequence, sequence_count = values[self._places["sequence"]], values[self._places["sequence_count"]]
        length = values[self._places["length"]]
        batch_size = tf.squeeze(tf.shape(length))
        is_last = sequence + 1 >= sequence_count
        done = tf.reduce_sum(tf.cast(is_last, tf.int32))
        with tf.control_dependencies([examples.dequeue_many(done)]):
            states = {name: tf.identity(value) for name, value in self._of_kind("state", values).items()}
        return ReceivedSegments(
            indices,
            keys,
            sequence,
            sequence_count,
            values[self._places["next_key"]],
            length,
            values[self._places["total_length"]],
            self._of_kind("context", values),
            self._of_kind("sequence", values),
            batch_size,
            is_last,
            states,
        )

    def _of_kind(self, kind: str, values: Any) -> dict[str, Any]:
        return {name: values[self._places[kind, name]] for name in self._kinds[kind]}
