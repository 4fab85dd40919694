"""`batch_sequences_with_states`: batches of sequence segments, filled by a queue runner of the graph."""

from __future__ import annotations

import numbers
from typing import Any

import tinytf as tf
from tinytf.contrib.training.checked_shapes import assert_multiple
from tinytf.contrib.training.next_sequence_batch import NextQueuedSequenceBatch
from tinytf.contrib.training.sequence_state_saver import SequenceQueueingStateSaver
from tinytf.contrib.training.sparse_sequences import context_as_sequences, give_back, is_sparse, kept_in_session
from tinytf.python.ops.control_flow_ops import with_dependencies

__all__ = ["batch_sequences_with_states"]


def batch_sequences_with_states(
    input_key: Any,
    input_sequences: dict[str, Any],
    input_context: dict[str, Any],
    input_length: Any,
    initial_states: dict[str, Any],
    num_unroll: int,
    batch_size: Any,
    num_threads: int = 3,
    capacity: Any = 1000,
    allow_small_batch: bool = True,
    pad: bool = True,
    make_keys_unique: bool = False,
    make_keys_unique_seed: int | None = None,
    name: str | None = None,
) -> NextQueuedSequenceBatch:
    """Returns batches of sequence segments, made by a `SequenceQueueingStateSaver` and filled by a queue runner.

    Also adds a summary of the number of segments that are ready.

    Args:
      input_key: string scalar, unique for each example; see `make_keys_unique`.
      input_sequences: dict of tensors or SparseTensors; their first dimension is time and of equal size.
      input_context: dict of tensors or SparseTensors of static shapes, which all segments get.
      input_length: int32 scalar, number of time steps; with `pad`, None means the size of the time dimension.
      initial_states: non-empty dict of tensors of static shapes, the states of the first segment.
      num_unroll: int, number of time steps of a segment.
      batch_size: int or int32 scalar, number of segments in a batch.
      num_threads: int, number of threads that enqueue examples.
      capacity: maximum number of examples in the queue, at least `batch_size`; unbounded if None.
      allow_small_batch: bool, whether batches get smaller at the end of the input; otherwise the rest is dropped.
      pad: bool, whether sequences are padded with zeros or empty strings to a multiple of `num_unroll`. Otherwise other
        lengths fail with InvalidArgumentError.
      make_keys_unique: bool, whether a random number is appended to each key.
      make_keys_unique_seed: int, seed of these numbers.
      name: string, name of the name scope.

    Returns:
      A `NextQueuedSequenceBatch`. SparseTensors of sequences have the shape [n, num_unroll, ...], those in the context
      [n, ...].

    Raises:
      TypeError: as `SequenceQueueingStateSaver`.
      ValueError: as `SequenceQueueingStateSaver`.
    """
    values = [*input_sequences.values(), *input_context.values(), *initial_states.values()]
    with tf.name_scope(name, "batch_sequences_with_states", values):
        if pad:
            length, input_sequences = _padded(input_sequences, num_unroll)
            input_length = length if input_length is None else input_length
        else:
            input_sequences = {key: _checked(key, value, num_unroll) for key, value in input_sequences.items()}
        context, sequences = context_as_sequences(input_context, input_sequences, num_unroll)
        sequences, keepers = kept_in_session(sequences)
        if make_keys_unique:
            number = tf.random_uniform((), minval=0, maxval=100000000, dtype=tf.int32, seed=make_keys_unique_seed)
            input_key = tf.string_join([input_key, tf.as_string(number)])
        saver = SequenceQueueingStateSaver(
            batch_size,
            num_unroll,
            input_length=input_length,
            input_key=input_key,
            input_sequences=sequences,
            input_context=context,
            initial_states=initial_states,
            capacity=capacity,
            allow_small_batch=allow_small_batch,
        )
        ready = tf.cast(saver.barrier.ready_size(), tf.float32)
        tf.summary.scalar(f"queue/{saver.barrier.name}/ready_segment_batches_", ready)
        ends = tf.errors.OutOfRangeError, tf.errors.CancelledError
        runner = tf.train.QueueRunner(saver, [saver.prefetch_op] * num_threads, queue_closed_exception_types=ends)
        tf.train.add_queue_runner(runner)
        batch = saver.next_batch
        give_back(batch, keepers, batch_size, num_unroll)
        return batch


def _checked(key: str, value: Any, num_unroll: int) -> Any:
    """Returns a sequence with an assertion that its length is a nonzero multiple of `num_unroll`."""
    sparse = is_sparse(value)
    if not sparse and not isinstance(value, tf.Tensor):
        try:
            value = tf.convert_to_tensor(value)
        except TypeError:
            raise TypeError(
                f"Unsupported input_sequences expected Tensor or SparseTensor values, got: {type(value)} for key {key}"
            ) from None
    length = value.dense_shape[0] if sparse else tf.shape(value)[0]
    fits = tf.logical_and(tf.equal(length % num_unroll, 0), tf.not_equal(length, 0))
    kind = "SparseTensor" if sparse else "Tensor"
    check = assert_multiple(fits, f"{kind} {key} first dimension should be a multiple of: ", length, num_unroll)
    with tf.control_dependencies([check]):
        if not sparse:
            return tf.identity(value, name="multiple_of_checked")
        parts = value.indices, value.values, value.dense_shape
        return tf.SparseTensor(*[tf.identity(part, name="multiple_of_checked") for part in parts])


def _padded(sequences: Any, num_unroll: Any) -> tuple[Any, dict[str, Any]]:
    """Returns the length of an example and its sequences, padded to a multiple of `num_unroll`."""
    if not isinstance(num_unroll, numbers.Integral):
        raise ValueError(f"Unsupported num_unroll expected int, got: {num_unroll}")
    if not isinstance(sequences, dict):
        raise TypeError(f"Unsupported sequences expected dict, got: {sequences}")
    for key in sequences:
        if not isinstance(key, str):
            raise TypeError(f"Unsupported sequences key expected string, got: {key}")
    if not sequences:
        return 0, {}
    converted = {
        key: value if is_sparse(value) else tf.convert_to_tensor(value) for key, value in sorted(sequences.items())
    }
    length = _common_length(list(converted.values()))
    unroll = tf.constant(num_unroll)
    padded_length = length + ((unroll - (length % unroll)) % unroll)
    return length, {key: _longer(value, padded_length) for key, value in converted.items()}


def _common_length(sequences: list[Any]) -> tf.Tensor:
    """Returns the length of the sequences, asserting that dense ones agree; sparse ones count only if there are no
    dense ones."""
    lengths = [tf.shape(value)[0] for value in sequences if isinstance(value, tf.Tensor)]
    if not lengths:
        sparse = [value.dense_shape[0] for value in sequences if isinstance(value, tf.SparseTensor)]
        return tf.reduce_max(tf.cast(sparse, tf.int32))
    says = "All sequence lengths must match, but received lengths: "
    checks = [
        tf.Assert(tf.equal(length, lengths[0]), [tf.string_join([says, tf.as_string(lengths)])]) for length in lengths
    ]
    return with_dependencies(checks, lengths[0])


def _longer(value: Any, length: tf.Tensor) -> Any:
    """Returns a sequence padded with zeros or empty strings to `length` time steps."""
    if not isinstance(value, tf.Tensor):
        shape = tf.concat([[tf.cast(length, tf.int64)], value.dense_shape[1:]], 0)
        return tf.SparseTensor(value.indices, value.values, shape)
    shape = tf.concat(([length - tf.shape(value)[0]], tf.shape(value)[1:]), 0)
    nothing = tf.constant("" if value.dtype == tf.string else 0, dtype=value.dtype)
    return tf.concat([value, tf.fill(shape, nothing)], 0)
