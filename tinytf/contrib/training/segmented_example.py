"""Splits an example, a set of equally long sequences, into segments."""

from __future__ import annotations

import tinytf as tf
from tinytf.contrib.training.checked_shapes import with_multiple, with_sizes
from tinytf.contrib.training.segment_barrier import SegmentBarrier
from tinytf.contrib.training.sequence_inputs import SequenceInputs

_TOKEN = 21051976  # element of the queue of examples; graphs contain it


class SegmentedExample:
    """The tensors of an example, with checks of their lengths."""

    def __init__(self, inputs: SequenceInputs, num_unroll: int) -> None:
        self._num_unroll = num_unroll
        steps = tf.identity(tf.shape(next(iter(inputs.sequences.values())))[0], name="padded_length")
        self._padded_length = with_multiple(steps, num_unroll)
        self.sequences = {
            name: with_sizes(value, [self._padded_length], f"sorted_sequences_{name}")
            for name, value in inputs.sequences.items()
        }
        self.context, self.states, self._key = inputs.context, inputs.states, inputs.key
        too_long = "Input length should be <= than length from sequences:"
        fits = tf.less_equal(inputs.length, self._padded_length)
        with tf.control_dependencies([tf.Assert(fits, [too_long, inputs.length, " vs. ", self._padded_length])]):
            self._length = tf.identity(inputs.length)

    def insert_into(self, barrier: SegmentBarrier, examples: tf.QueueBase) -> tf.Operation:
        """Returns the operation that inserts all segments into the barrier, and an element into the queue
        `examples`."""
        count = tf.div(self._padded_length, self._num_unroll)
        ones = tf.ones(tf.expand_dims(count, 0), dtype=tf.int32)
        numbers = tf.range(count)
        length = tf.maximum(0, self._length - self._num_unroll * numbers)
        length = tf.minimum(self._num_unroll, length)
        total_length, counts = self._length * ones, count * ones
        keys, next_keys = self._keys(numbers, count)
        segments = {name: self._segments(name, value, count) for name, value in self.sequences.items()}
        context = {name: _repeated(name, value, count) for name, value in self.context.items()}
        insert_numbers = barrier.insert("sequence", keys, numbers, "InsertSequence")
        inserts = [
            insert_numbers,
            barrier.insert("sequence_count", keys, counts, "InsertSequenceCount"),
            barrier.insert("next_key", keys, next_keys, "InsertNextKey"),
            barrier.insert("length", keys, length, "InsertLength"),
            barrier.insert("total_length", keys, total_length, "InsertTotalLength"),
        ]
        rest = [
            barrier.insert(("context", name), keys, value, f"InsertContext_{name}") for name, value in context.items()
        ]
        rest += [
            barrier.insert(("sequence", name), keys, value, f"InsertSequences_{name}")
            for name, value in segments.items()
        ]
        token = examples.enqueue((_TOKEN,))
        # The states follow the indices of all segments, so that all segments get one insertion index and are taken in
        # order.
        with tf.control_dependencies([insert_numbers, token]):
            states = [
                barrier.insert(("state", name), tf.stack([keys[0]]), tf.stack([value]), f"InitialInsertState_{name}")
                for name, value in self.states.items()
            ]
        return tf.group(token, *inserts, *states, *rest, name="StateSaverPrefetchGroup")

    def _keys(self, numbers: tf.Tensor, count: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Returns the keys of an example's segments and the keys of their successors."""
        number, of = tf.as_string(numbers, width=5, fill="0"), tf.as_string(count, width=5, fill="0")
        keys = tf.string_join([number, "_of_", of, ":", self._key], name="StringJoinCurrentKeys")
        after_first = tf.slice(keys, [1], [-1])
        stop = tf.expand_dims(tf.string_join(["STOP:", self._key], name="StringJoinStop"), 0)
        return keys, tf.concat([after_first, stop], 0, name="concat_next_keys")

    def _segments(self, name: str, value: tf.Tensor, count: tf.Tensor) -> tf.Tensor:
        """Reshapes a sequence to one row per segment."""
        sizes = value.get_shape().as_list()[1:]
        parts = [tf.expand_dims(count, 0), tf.expand_dims(self._num_unroll, 0), sizes]
        rows = tf.reshape(value, tf.concat(parts, 0, name=f"concat_sequences_{name}"), name=f"reshape_sequences_{name}")
        return with_sizes(rows, [count, self._num_unroll, *sizes], f"reshaped_sequences_{name}")


def _repeated(name: str, value: tf.Tensor, count: tf.Tensor) -> tf.Tensor:
    """Repeats a tensor once per segment."""
    sizes = value.get_shape().as_list()
    row = tf.expand_dims(value, 0)
    times = tf.concat([tf.expand_dims(count, 0), [1] * len(sizes)], 0, name=f"concat_context_{name}")
    rows = tf.tile(row, times, name=f"tile_context_{name}")
    return with_sizes(rows, [count, *sizes], f"expanded_context_{name}")
