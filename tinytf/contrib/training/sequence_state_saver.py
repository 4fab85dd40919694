"""Splits long sequences into segments and batches these in order, with the model states carried between segments."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.contrib.training.next_sequence_batch import NextQueuedSequenceBatch
from tinytf.contrib.training.segment_barrier import ReceivedSegments, SegmentBarrier
from tinytf.contrib.training.segmented_example import SegmentedExample
from tinytf.contrib.training.sequence_inputs import SequenceInputs, check_names
from tinytf.python.framework.ops import colocate_with
from tinytf.python.ops.data_flow_ops import Barrier


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
        self._received: ReceivedSegments | None = None  # the tensors of the next batch, once they are made
        self._capacity_queue = tf.FIFOQueue(capacity=capacity, dtypes=[tf.int32], shapes=[[]])
        with colocate_with(self._capacity_queue.queue_ref):
            _check_states(initial_states)
            values = [input_length, input_key, *input_sequences.values(), *input_context.values()]
            with tf.name_scope(name, "InputQueueingStateSaver", values) as self._name:
                inputs = SequenceInputs(input_length, input_key, input_sequences, input_context, initial_states)
                self._example = example = SegmentedExample(inputs, num_unroll)
                self._segments = SegmentBarrier(example.sequences, example.context, example.states, num_unroll)

    @property
    def name(self) -> str:
        """The name scope of the operations."""
        return self._name

    @property
    def barrier(self) -> Barrier:
        """The barrier that holds the segments."""
        return self._segments.barrier

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
            with tf.name_scope(None), tf.name_scope(self._name, values=[self._segments.barrier.barrier_ref]):
                self._received = self._segments.take(self._batch_size, self._allow_small_batch, self._capacity_queue)
            self._next_batch = NextQueuedSequenceBatch(self)
        return self._next_batch

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> tf.Operation:
        """Returns the operation that ends the input.

        Waiting examples are still processed, unless `cancel_pending_enqueues` is set: then blocked enqueues, and saving
        states, fail with CancelledError.
        """
        with tf.name_scope(name, "SQSSClose", [self._prefetch_op]) as scope:
            barrier = self._segments.barrier.close(cancel_pending_enqueues, "BarrierClose")
            queue = self._capacity_queue.close(cancel_pending_enqueues, "FIFOClose")
            return tf.group(barrier, queue, name=scope)

    def _made_prefetch_op(self) -> tf.Operation:
        if self._prefetch_op is None:
            with tf.name_scope(None), tf.name_scope(self._name, values=[self._segments.barrier.barrier_ref]):
                self._prefetch_op = self._example.insert_into(self._segments, self._capacity_queue)
        return self._prefetch_op


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
