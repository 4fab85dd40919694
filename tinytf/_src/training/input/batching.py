"""Batches from queues: `batch`, `shuffle_batch`, and their variants for several sources."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.training.input.batcher import in_order, shuffled


@tf_export("train.batch")
@called_by_users
def batch(
    tensors: Any,
    batch_size: Any,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Creates batches of examples in their order of arrival, by a queue and a queue runner.

    Args:
      tensors: list or dict of tensors, one example.
      batch_size: int32 scalar.
      num_threads: int, number of threads that fill the queue.
      capacity: int, maximum number of examples in the queue.
      enqueue_many: bool, whether `tensors` are several examples, one per row.
      shapes: optional list of the shapes of an example; required if they are not known statically.
      dynamic_pad: bool, whether examples of different sizes are padded with zeros or empty strings.
      allow_smaller_final_batch: bool, whether the remaining examples form a smaller last batch.
      shared_name: optional name; queues with one shared name are one in a session.
      name: optional name of the operation.

    Returns:
      Tensors of examples with a batch dimension, in a list or dict like `tensors`; a list of one becomes a tensor.

    Raises:
      ValueError: in eager execution, or if shapes are unknown.
    """
    return in_order(
        [tensors],
        True,
        batch_size,
        num_threads,
        False,
        capacity=capacity,
        enqueue_many=enqueue_many,
        shapes=shapes,
        dynamic_pad=dynamic_pad,
        allow_smaller_final_batch=allow_smaller_final_batch,
        shared_name=shared_name,
        name=name,
    )


@tf_export("train.maybe_batch")
@called_by_users
def maybe_batch(
    tensors: Any,
    keep_input: Any,
    batch_size: Any,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Does the same as `batch` for the examples whose `keep_input`, a bool scalar or with `enqueue_many` a vector, is
    True.
    """
    return in_order(
        [tensors],
        keep_input,
        batch_size,
        num_threads,
        False,
        capacity=capacity,
        enqueue_many=enqueue_many,
        shapes=shapes,
        dynamic_pad=dynamic_pad,
        allow_smaller_final_batch=allow_smaller_final_batch,
        shared_name=shared_name,
        name=name,
    )


@tf_export("train.batch_join")
@called_by_users
def batch_join(
    tensors_list: Any,
    batch_size: Any,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Does the same as `batch` for a list of sources with one thread each. Raises TypeError if their dtypes differ."""
    return in_order(
        tensors_list,
        True,
        batch_size,
        1,
        True,
        capacity=capacity,
        enqueue_many=enqueue_many,
        shapes=shapes,
        dynamic_pad=dynamic_pad,
        allow_smaller_final_batch=allow_smaller_final_batch,
        shared_name=shared_name,
        name=name,
    )


@tf_export("train.maybe_batch_join")
@called_by_users
def maybe_batch_join(
    tensors_list: Any,
    keep_input: Any,
    batch_size: Any,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Does the same as `batch_join` for the examples whose `keep_input` is True; see `maybe_batch`."""
    return in_order(
        tensors_list,
        keep_input,
        batch_size,
        1,
        True,
        capacity=capacity,
        enqueue_many=enqueue_many,
        shapes=shapes,
        dynamic_pad=dynamic_pad,
        allow_smaller_final_batch=allow_smaller_final_batch,
        shared_name=shared_name,
        name=name,
    )


@tf_export("train.shuffle_batch")
@called_by_users
def shuffle_batch(
    tensors: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Creates batches of examples in random order.

    Args:
      min_after_dequeue: int less than `capacity`, minimum number of examples that stay in the queue for shuffling.
      seed: optional int, seed of the order.
      Others: as in `batch`.
    """
    return shuffled(
        [tensors],
        True,
        batch_size,
        num_threads,
        False,
        capacity=capacity,
        min_after_dequeue=min_after_dequeue,
        seed=seed,
        enqueue_many=enqueue_many,
        shapes=shapes,
        allow_smaller_final_batch=allow_smaller_final_batch,
        shared_name=shared_name,
        name=name,
    )


@tf_export("train.maybe_shuffle_batch")
@called_by_users
def maybe_shuffle_batch(
    tensors: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    keep_input: Any,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Does the same as `shuffle_batch` for the examples whose `keep_input` is True; see `maybe_batch`."""
    return shuffled(
        [tensors],
        keep_input,
        batch_size,
        num_threads,
        False,
        capacity=capacity,
        min_after_dequeue=min_after_dequeue,
        seed=seed,
        enqueue_many=enqueue_many,
        shapes=shapes,
        allow_smaller_final_batch=allow_smaller_final_batch,
        shared_name=shared_name,
        name=name,
    )


@tf_export("train.shuffle_batch_join")
@called_by_users
def shuffle_batch_join(
    tensors_list: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Does the same as `shuffle_batch` for a list of sources with one thread each."""
    return shuffled(
        tensors_list,
        True,
        batch_size,
        1,
        True,
        capacity=capacity,
        min_after_dequeue=min_after_dequeue,
        seed=seed,
        enqueue_many=enqueue_many,
        shapes=shapes,
        allow_smaller_final_batch=allow_smaller_final_batch,
        shared_name=shared_name,
        name=name,
    )


@tf_export("train.maybe_shuffle_batch_join")
@called_by_users
def maybe_shuffle_batch_join(
    tensors_list: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    keep_input: Any,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Does the same as `shuffle_batch_join` for the examples whose `keep_input` is True; see `maybe_batch`."""
    return shuffled(
        tensors_list,
        keep_input,
        batch_size,
        1,
        True,
        capacity=capacity,
        min_after_dequeue=min_after_dequeue,
        seed=seed,
        enqueue_many=enqueue_many,
        shapes=shapes,
        allow_smaller_final_batch=allow_smaller_final_batch,
        shared_name=shared_name,
        name=name,
    )
