"""Splits long sequences into segments and batches these in order, with the model states carried between segments."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.contrib.training.checked_shapes import with_multiple, with_sizes
from tinytf.contrib.training.next_sequence_batch import NextQueuedSequenceBatch
from tinytf.contrib.training.sequence_inputs import SequenceInputs, check_names
from tinytf.python.framework.ops import colocate_with
from tinytf.python.ops.data_flow_ops import Barrier

_OF_SEGMENTS = ("length", "total_length", "next_key", "sequence", "sequence_count")
_TOKEN = 21051976  # element of the capacity queue, one for each example; graphs contain it


class SequenceQueueingStateSaver:
    """Splits examples, sets of equally long sequences, into segments of `num_unroll` time steps and batches them.

    A batch has segments of different examples. A segment is ready once the states after its predecessor were saved.
    Segments wait in a `Barrier`; a queue of tokens limits the number of examples. Run `prefetch_op` in a
    `tf.train.QueueRunner`, to which this object is the queue, and use `next_batch`.

    Args:
      batch_size: int or int32 scalar, number of segments in a batch.
      num_unroll: int, number of time steps of a segment.
      input_length: int32 scalar, number of time steps of the example without padding.
      input_key: string scalar, unique among the waiting examples.
      input_sequences: dict of tensors. The first dimension is time, of equal size and a multiple of `num_unroll`; the
        others are static.
      input_context: dict of tensors of static shapes, which all segments get.
      initial_states: non-empty dict of tensors of static shapes, the states of the first segment.
      capacity: maximum number of waiting examples; unbounded if None.
      allow_small_batch: bool, whether batches get smaller at the end of the input, after `close`; otherwise the rest is
        dropped.
      name: string, name of the name scope.

    Raises:
      TypeError: if arguments have wrong types.
      ValueError: if shapes are wrong or unknown, or `capacity` is below `batch_size`. Errors that only a step can
        detect, such as a wrong length, make `prefetch_op` fail with InvalidArgumentError.
    """

    def __init__(
        self,
        batch_size: Any,
        num_unroll: int,
        input_length: Any,
        input_key: Any,
        input_sequences: dict[str, Any],
        input_context: dict[str, Any],
        initial_states: dict[str, Any],
        capacity: Any = None,
        allow_small_batch: bool = False,
        name: str | None = None,
    ) -> None:
        if capacity is not None:
            input_key = _with_capacity(input_key, capacity, batch_size)
        self._batch_size = batch_size
        self._num_unroll = num_unroll
        self._allow_small_batch = allow_small_batch
        self._prefetch_op: tf.Operation | None = None
        self._next_batch: NextQueuedSequenceBatch | None = None
        self._capacity_queue = tf.FIFOQueue(capacity=capacity, dtypes=[tf.int32], shapes=[[]])
        with colocate_with(self._capacity_queue.queue_ref):
            _check_states(initial_states)
            values = [input_length, input_key, *input_sequences.values(), *input_context.values()]
            with tf.name_scope(name, "InputQueueingStateSaver", values) as self._name:
                self._take(SequenceInputs(input_length, input_key, input_sequences, input_context, initial_states))

    def _take(self, inputs: SequenceInputs) -> None:
        """Creates the barrier for the tensors of an example, and the checks of their lengths."""
        steps = tf.identity(tf.shape(next(iter(inputs.sequences.values())))[0], name="padded_length")
        self._padded_length = with_multiple(steps, self._num_unroll)
        self._sequences = {
            name: with_sizes(value, [self._padded_length], f"sorted_sequences_{name}")
            for name, value in inputs.sequences.items()
        }
        self._context, self._states, self._key = inputs.context, inputs.states, inputs.key
        too_long = "Input length should be <= than length from sequences:"
        fits = tf.less_equal(inputs.length, self._padded_length)
        with tf.control_dependencies([tf.Assert(fits, [too_long, inputs.length, " vs. ", self._padded_length])]):
            self._length = tf.identity(inputs.length)
        kinds = {"sequence": self._sequences, "context": self._context, "state": self._states}
        names = [*_OF_SEGMENTS, *[(kind, name) for kind, values in kinds.items() for name in values]]
        self._places = {name: place for place, name in enumerate(names)}
        segments = [[self._num_unroll, *value.get_shape().as_list()[1:]] for value in self._sequences.values()]
        others = [*self._context.values(), *self._states.values()]
        self._barrier = Barrier(
            types=[
                *[tf.string if name == "next_key" else tf.int32 for name in _OF_SEGMENTS],
                *[value.dtype for value in [*self._sequences.values(), *others]],
            ],
            shapes=[*[()] * len(_OF_SEGMENTS), *segments, *[value.get_shape().as_list() for value in others]],
        )

    def _place(self, kind: str, name: str) -> int:
        """Returns the index of a tensor among the components of the barrier."""
        return self._places[kind, name]

    @property
    def name(self) -> str:
        """The name scope of the operations."""
        return self._name

    @property
    def barrier(self) -> Barrier:
        """The barrier that holds the segments."""
        return self._barrier

    @property
    def batch_size(self) -> Any:
        """The batch size that was given."""
        return self._batch_size

    @property
    def num_unroll(self) -> int:
        """The segment length that was given."""
        return self._num_unroll

    @property
    def prefetch_op(self) -> tf.Operation:
        """The operation that enqueues one example, created at first use. It blocks while `capacity` examples wait."""
        return self._made_prefetch_op()

    @property
    def next_batch(self) -> NextQueuedSequenceBatch:
        """The next batch of segments, whose operations are created at first use. Steps that use it block until segments
        are ready."""
        if self._next_batch is None:
            self._made_prefetch_op()
            with tf.name_scope(None), tf.name_scope(self._name, values=[self._barrier.barrier_ref]):
                self._make_reads()
            self._next_batch = NextQueuedSequenceBatch(self)
        return self._next_batch

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> tf.Operation:
        """Returns the operation that ends the input.

        Waiting examples are still processed, unless `cancel_pending_enqueues` is set: then blocked enqueues, and saving
        states, fail with CancelledError.
        """
        with tf.name_scope(name, "SQSSClose", [self._prefetch_op]) as scope:
            barrier = self._barrier.close(cancel_pending_enqueues, "BarrierClose")
            queue = self._capacity_queue.close(cancel_pending_enqueues, "FIFOClose")
            return tf.group(barrier, queue, name=scope)

    def _made_prefetch_op(self) -> tf.Operation:
        if self._prefetch_op is None:
            with tf.name_scope(None), tf.name_scope(self._name, values=[self._barrier.barrier_ref]):
                self._prefetch_op = self._make_prefetch_op()
        return self._prefetch_op

    def _make_prefetch_op(self) -> tf.Operation:
        count = tf.div(self._padded_length, self._num_unroll)
        ones = tf.ones(tf.expand_dims(count, 0), dtype=tf.int32)
        numbers = tf.range(count)
        length = tf.maximum(0, self._length - self._num_unroll * numbers)
        length = tf.minimum(self._num_unroll, length)
        total_length, counts = self._length * ones, count * ones
        keys, next_keys = self._keys(numbers, count)
        segments = {name: self._segments(name, value, count) for name, value in self._sequences.items()}
        context = {name: _repeated(name, value, count) for name, value in self._context.items()}

        def insert(place: int, value: tf.Tensor, name: str, keys: tf.Tensor = keys) -> tf.Operation:
            return self._barrier.insert_many(place, keys, value, name=f"Barrier{name}")

        insert_numbers = insert(self._places["sequence"], numbers, "InsertSequence")
        inserts = [
            insert_numbers,
            insert(self._places["sequence_count"], counts, "InsertSequenceCount"),
            insert(self._places["next_key"], next_keys, "InsertNextKey"),
            insert(self._places["length"], length, "InsertLength"),
            insert(self._places["total_length"], total_length, "InsertTotalLength"),
        ]
        rest = [
            insert(self._place("context", name), value, f"InsertContext_{name}") for name, value in context.items()
        ] + [
            insert(self._place("sequence", name), value, f"InsertSequences_{name}") for name, value in segments.items()
        ]
        token = self._capacity_queue.enqueue((_TOKEN,))
        # The states follow the indices of all segments, so that all segments get one insertion index and are taken in
        # order.
        with tf.control_dependencies([insert_numbers, token]):
            states = [
                insert(
                    self._place("state", name),
                    keys=tf.stack([keys[0]]),
                    value=tf.stack([value]),
                    name=f"InitialInsertState_{name}",
                )
                for name, value in self._states.items()
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

    def _make_reads(self) -> None:
        """Creates the operations that take a batch."""
        taken = self._barrier.take_many(self._batch_size, self._allow_small_batch, name="BarrierTakeMany")
        self._received_indices, self._received_keys, values = taken[0], taken[1], taken[2]
        self._received_sequence = values[self._places["sequence"]]
        self._received_sequence_count = values[self._places["sequence_count"]]
        self._received_next_key = values[self._places["next_key"]]
        self._received_length = values[self._places["length"]]
        self._received_total_length = values[self._places["total_length"]]
        self._received_context = {name: values[self._place("context", name)] for name in self._context}
        self._received_sequences = {name: values[self._place("sequence", name)] for name in self._sequences}
        self._received_batch_size = tf.squeeze(tf.shape(self._received_length))
        self._sequence_is_done = self._received_sequence + 1 >= self._received_sequence_count
        done = tf.reduce_sum(tf.cast(self._sequence_is_done, tf.int32))
        with tf.control_dependencies([self._capacity_queue.dequeue_many(done)]):
            self._received_states = {name: tf.identity(values[self._place("state", name)]) for name in self._states}


def _with_capacity(key: Any, capacity: Any, batch_size: Any) -> Any:
    """Returns the key after a check that the capacity is at least the batch size."""
    if isinstance(batch_size, tf.Tensor):
        sizes = tf.cast(capacity, tf.int64), tf.cast(batch_size, tf.int64)
        check = tf.assert_greater_equal(*sizes, message="capacity needs to be >= batch_size.")
        with tf.control_dependencies([check]):
            return tf.identity(key)
    if capacity < batch_size:
        raise ValueError(f"capacity {int(capacity)} needs to be >= batch_size {int(batch_size)}")
    return key


def _check_states(states: Any) -> None:
    if not isinstance(states, dict):
        raise TypeError("initial_states must be a dictionary")
    if not states:
        raise ValueError(
            "initial_states may not be empty: at least one state variable is required to properly enqueue split sequences to "
            "run in separate iterations"
        )
    check_names(states, "state name", "a string")


def _repeated(name: str, value: tf.Tensor, count: tf.Tensor) -> tf.Tensor:
    """Repeats a tensor once per segment."""
    sizes = value.get_shape().as_list()
    row = tf.expand_dims(value, 0)
    times = tf.concat([tf.expand_dims(count, 0), [1] * len(sizes)], 0, name=f"concat_context_{name}")
    rows = tf.tile(row, times, name=f"tile_context_{name}")
    return with_sizes(rows, [count, *sizes], f"expanded_context_{name}")
