"""Batches of similar examples, with one queue for each bucket and one for the batches."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

import tinytf as tf
from tinytf.python.training.input import Examples

_CLOSED = (tf.errors.OutOfRangeError, tf.errors.CancelledError)


def bucket(
    tensors: Any,
    which_bucket: Any,
    batch_size: Any,
    num_buckets: int,
    num_threads: int = 1,
    capacity: int = 32,
    bucket_capacities: Sequence[int] | None = None,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    keep_input: Any = True,
    shared_name: str | None = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns batches of examples from one bucket each.

    A bucket is a queue of examples; complete batches move on to the queue of batches. Queue runners of the graph do
    both.

    Args:
      tensors: list or dict of tensors that form one example.
      which_bucket: int32 scalar, number of its bucket. Examples outside `0 … num_buckets - 1` are dropped.
      batch_size: int or int32 scalar, number of examples in a batch, or a list with one for each bucket.
      num_buckets: int, number of buckets.
      num_threads: int, number of threads that fill the buckets.
      capacity: int, capacity of the queue of batches, and by default of each bucket.
      bucket_capacities: list of ints, capacity of each bucket; `capacity` if None.
      shapes: list of shapes of an example's tensors, needed if they are not static.
      dynamic_pad: bool, whether examples of different sizes are padded with zeros or empty strings.
      allow_smaller_final_batch: bool, whether the examples that remain at the end form smaller batches.
      keep_input: bool scalar, whether the example is used.
      shared_name: string; queues of the same name are shared within a session.
      name: string, name of the name scope.

    Returns:
      A pair of the bucket's number, an int32 scalar, and the batch: a list, a dict, or a tensor if there is only one.

    Raises:
      ValueError: if shapes are unknown, a list does not have one element for each bucket, there are no tensors or no
        buckets, or in eager execution.
    """
    sizes = _for_each_bucket(batch_size, num_buckets)
    if bucket_capacities is None:
        bucket_capacities = [capacity] * num_buckets
    if len(bucket_capacities) != num_buckets:
        raise ValueError(
            f"The list bucket_capacities ({bucket_capacities}) must have exactly num_buckets ({num_buckets}) elements."
        )
    if num_buckets == 0:
        raise ValueError("num_buckets must be positive, but is 0.")
    examples = Examples([tensors], keep_input)
    with tf.name_scope(name, "bucket", examples.lists[0]):
        examples.convert("bucket")
        sizes = [_static_if_known(size) for size in sizes]
        types, shapes = examples.types(), examples.shapes(shapes)
        which_bucket = tf.convert_to_tensor(which_bucket, dtype=tf.int32, name="which_bucket")
        buckets = [
            (tf.PaddingFIFOQueue if dynamic_pad else tf.FIFOQueue)(
                capacity=bucket_capacities[i],
                dtypes=types,
                shapes=shapes,
                shared_name=None if shared_name is None else f"{shared_name}_{i}",
                name=f"bucket_queue_{i}",
            )
            for i in range(num_buckets)
        ]
        differ = allow_smaller_final_batch or isinstance(batch_size, (list, tuple))
        rows = tf.TensorShape([None if differ or isinstance(sizes[-1], tf.Tensor) else sizes[-1]])
        batches = tf.PaddingFIFOQueue(  # batches may have different sizes
            capacity=capacity,
            dtypes=[tf.int32, *types],
            shapes=[tf.TensorShape([]), *(rows.concatenate(shape) for shape in buckets[0].shapes)],
            shared_name=shared_name,
            name="top_queue",
        )
        enqueue = examples.if_kept(lambda: _enqueue(buckets, which_bucket, examples.lists[0]))
        _run_batches(buckets, batches, sizes, allow_smaller_final_batch)
        _run_buckets(buckets, batches, [enqueue] * num_threads)
        _summarize(buckets, batches, capacity)
        number, *batch = batches.dequeue(name="dequeue_top")
        return number, examples.as_original(batch[0] if len(batch) == 1 else batch)


def _for_each_bucket(batch_size: Any, num_buckets: int) -> list[Any]:
    if not isinstance(batch_size, (list, tuple)):
        return [batch_size] * num_buckets
    if len(batch_size) != num_buckets:
        raise ValueError("If batch_size is a list it must have num_buckets elements")
    return list(batch_size)


def _static_if_known(batch_size: Any) -> Any:
    tensor = tf.convert_to_tensor(batch_size, dtype=tf.int32, name="batch_size")
    static = tf.get_static_value(tensor)
    return tensor if static is None else static


def _enqueue(buckets: list[Any], which_bucket: Any, example: list[Any]) -> Any:
    """Returns the operation that puts an example into its bucket."""
    enqueues = [
        tf.cond(tf.equal(which_bucket, i), functools.partial(queue.enqueue, example), tf.no_op)
        for i, queue in enumerate(buckets)
    ]
    return tf.group(*enqueues, name="group_enqueues")


def _run_batches(buckets: list[Any], batches: Any, sizes: list[Any], smaller: bool) -> None:
    """Adds a queue runner with one thread for each bucket, which moves its batches to the queue of batches."""
    enqueues = []
    for i, (queue, size) in enumerate(zip(buckets, sizes)):
        number = tf.constant(i)
        batch = (queue.dequeue_up_to if smaller else queue.dequeue_many)(size, name=f"read_bucket_{i}")
        batch = batch if isinstance(batch, (list, tuple)) else [batch]
        enqueues.append(batches.enqueue([number, *batch], name=f"enqueue_from_bucket_{i}"))
    close = batches.close()
    cancel = batches.close(cancel_pending_enqueues=True)
    tf.train.add_queue_runner(tf.train.QueueRunner(buckets[0], enqueues, close, cancel, _CLOSED))


def _run_buckets(buckets: list[Any], batches: Any, enqueues: list[Any]) -> None:
    """Adds a queue runner whose threads fill the buckets and close them at the end of the input."""
    close = tf.group(*[queue.close() for queue in buckets])
    cancel = tf.group(*[queue.close(cancel_pending_enqueues=True) for queue in buckets])
    tf.train.add_queue_runner(tf.train.QueueRunner(batches, enqueues, close, cancel, _CLOSED))


def _summarize(buckets: list[Any], batches: Any, capacity: int) -> None:
    """Adds size summaries. As in TensorFlow, the one named after a bucket shows the size of the queue of batches."""
    for queue in buckets:
        tf.summary.scalar(f"bucket/{queue.name}/size", tf.cast(batches.size(), tf.float32))
    full = tf.cast(batches.size(), tf.float32) * (1.0 / capacity)
    tf.summary.scalar(f"bucket/{batches.name}/fraction_of_{capacity}_full", full)


def bucket_by_sequence_length(
    input_length: Any,
    tensors: Any,
    batch_size: Any,
    bucket_boundaries: Sequence[int],
    num_threads: int = 1,
    capacity: int = 32,
    bucket_capacities: Sequence[int] | None = None,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    keep_input: Any = True,
    shared_name: str | None = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns batches of examples of similar lengths.

    Args:
      input_length: int32 scalar, the length of the example.
      tensors: as in `bucket`.
      batch_size: as in `bucket`; a list has one more element than `bucket_boundaries`.
      bucket_boundaries: increasing list of ints. Bucket `i` has lengths from boundary `i - 1`, inclusive, to boundary
        `i`; the first and the last bucket are unbounded on one side.
      num_threads: as in `bucket`.
      capacity: as in `bucket`.
      bucket_capacities: as in `bucket`; a list has one more element than `bucket_boundaries`.
      shapes: as in `bucket`.
      dynamic_pad: as in `bucket`.
      allow_smaller_final_batch: as in `bucket`.
      keep_input: as in `bucket`.
      shared_name: as in `bucket`.
      name: string, name of the name scope.

    Returns:
      A pair of the lengths, int32 [batch_size], and the batch, of the structure of `tensors`. As in TensorFlow, the
      value in a dict of one tensor is a list.

    Raises:
      TypeError: if `bucket_boundaries` is not a list of ints.
      ValueError: if the boundaries are empty or not increasing, and as `bucket`.
    """
    examples = Examples([tensors], keep_input)
    _check_boundaries(bucket_boundaries)
    with tf.name_scope(name, "bucket_by_sequence_length", [input_length, *examples.lists[0]]):
        input_length = tf.convert_to_tensor(input_length, dtype=tf.int32, name="input_length")
        limits = np.iinfo(np.int32)
        from_least = tf.less_equal([limits.min, *bucket_boundaries], input_length)
        is_in = tf.logical_and(from_least, tf.less(input_length, [*bucket_boundaries, limits.max]))
        which_bucket = tf.cast(tf.reduce_min(tf.where_v2(is_in)), tf.int32)
        _, batch = bucket(
            [input_length, *examples.lists[0]],
            which_bucket,
            batch_size,
            len(bucket_boundaries) + 1,
            num_threads,
            capacity,
            bucket_capacities,
            None if shapes is None else [tf.TensorShape([]), *shapes],
            dynamic_pad,
            allow_smaller_final_batch,
            keep_input,
            shared_name,
        )
        return batch[0], examples.in_place(batch[1:])


def _check_boundaries(boundaries: Any) -> None:
    if not isinstance(boundaries, (list, tuple)):
        raise TypeError(f"bucket_boundaries must be a list or tuple, but received: {boundaries}")
    if not boundaries:
        raise ValueError("bucket_boundaries must not be empty")
    for one, next_one in zip(boundaries, boundaries[1:]):
        if not isinstance(one, int) or not isinstance(next_one, int):
            raise TypeError(f"bucket boundaries must be integers, but saw: {one} and {next_one}")
        if one >= next_one:
            raise ValueError(f"Buckets must contain sequential increasing lengths, but saw: {one} before {next_one}")
