"""Batches from queues: `batch`, `shuffle_batch`, and those of several sources."""

from __future__ import annotations

from typing import Any

from tinytf.exports import tf_export
from tinytf.framework.error_traceback import called_by_users
from tinytf.training.input.batcher import in_order, shuffled


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
    """Batches of a source's examples, in the order in which they come, by a queue and a queue runner of the graph.

    Args:
      tensors: an example: a list of tensors, or a dictionary.
      batch_size: how many examples a batch has.
      num_threads: how many threads fill the queue.
      capacity: how many examples the queue holds.
      enqueue_many: whether the tensors are many examples, one a row.
      shapes: of an example's tensors, where they are not known otherwise.
      dynamic_pad: whether examples of different sizes are padded with zeros or empty strings.
      allow_smaller_final_batch: whether what is left at the end makes a batch, too.
      shared_name: queues of one name are one in a session.

    ValueError for shapes that are not known, and in eager execution.
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
    """As `batch`, of those examples only for which `keep_input` is true: one for all,
    or, with `enqueue_many`, one for each."""
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
    """As `batch`, of several sources, each of which has a thread of its own. TypeError if their types differ."""
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
    """As `batch_join`, of those examples only for which `keep_input` is true: one for all,
    or, with `enqueue_many`, one for each."""
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
    """As `batch`, in random order: of `min_after_dequeue` examples at least, and so many more as make a batch."""
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
    """As `shuffle_batch`, of those examples only for which `keep_input` is true: one for all,
    or, with `enqueue_many`, one for each."""
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
    """As `shuffle_batch`, of several sources, each of which has a thread of its own."""
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
    """As `shuffle_batch_join`, of those examples only for which `keep_input` is true: one for all,
    or, with `enqueue_many`, one for each."""
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
