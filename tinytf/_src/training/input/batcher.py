"""Batching of the examples of one or several sources by a queue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.values import dtypes
from tinytf._src.ops import math_ops
from tinytf._src.ops.data_flow.data_flow_ops import FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue
from tinytf._src.ops.logging import summary_ops
from tinytf._src.training.input.examples import Examples
from tinytf._src.training.input.producers import run_queue


def in_order(sources: Any, keep_input: Any, batch_size: Any, threads: int, join: bool, **options: Any) -> Any:
    """Creates batches of elements in their order of arrival."""
    capacity, kind = options["capacity"], PaddingFIFOQueue if options["dynamic_pad"] else FIFOQueue
    scope = "batch_join" if join else "batch"

    def fullness(queue: Any) -> tuple[str, Any]:
        return f"fraction_of_{capacity}_full", math_ops.cast(queue.size(), dtypes.float32) * (1.0 / capacity)

    return _batches(
        Examples(sources, keep_input, options["enqueue_many"], join),
        scope,
        options,
        lambda **element: kind(capacity=capacity, shared_name=options["shared_name"], **element),
        fullness,
        batch_size,
        None if join else threads,
    )


def shuffled(sources: Any, keep_input: Any, batch_size: Any, threads: int, join: bool, **options: Any) -> Any:
    """Creates batches of elements in random order."""
    capacity, least = options["capacity"], options["min_after_dequeue"]
    scope = "shuffle_batch_join" if join else "shuffle_batch"

    def check() -> None:
        if not join and capacity <= least:
            raise ValueError(f"capacity {capacity} must be bigger than min_after_dequeue {least}.")

    def fullness(queue: Any) -> tuple[str, Any]:
        over = math_ops.cast(gen_ops.maximum(0, queue.size() - least), dtypes.float32)
        return f"fraction_over_{least:d}_of_{capacity - least:d}_full", over * (1.0 / (capacity - least))

    return _batches(
        Examples(sources, keep_input, options["enqueue_many"], join),
        scope,
        options,
        lambda **element: RandomShuffleQueue(
            capacity=capacity,
            min_after_dequeue=least,
            seed=options["seed"],
            shared_name=options["shared_name"],
            **element,
        ),
        fullness,
        batch_size,
        None if join else threads,
        check,
    )


def _batches(
    examples: Examples,
    scope: str,
    options: dict[str, Any],
    make_queue: Callable[..., Any],
    fullness: Callable[[Any], tuple[str, Any]],
    batch_size: Any,
    threads: int | None,
    check: Callable[[], None] = lambda: None,
) -> Any:
    """Creates batches in the structure of the examples.

    `fullness` returns tag and value of a summary of the queue. If `threads` is None, each source has its own thread.
    """
    values = [tensor for example in examples.lists for tensor in example] + [examples.keep_input]
    with name_scope(options["name"], scope, values) as full_scope:
        check()
        examples.convert("batch")
        queue = make_queue(dtypes=examples.types(), shapes=examples.shapes(options["shapes"]))
        enqueues = [_enqueue(queue, examples, example) for example in examples.lists]
        run_queue(queue, enqueues if threads is None else enqueues * threads)
        summary_ops.scalar(*fullness(queue))
        dequeue = queue.dequeue_up_to if options["allow_smaller_final_batch"] else queue.dequeue_many
        return examples.as_original(dequeue(batch_size, name=full_scope))


def _enqueue(queue: Any, examples: Examples, example: list[Any]) -> Any:
    enqueue = queue.enqueue_many if examples.enqueue_many else queue.enqueue
    keep = examples.keep_input
    if keep.shape.ndims == 1:
        chosen = math_ops.cast(keep, dtypes.int32)
        return enqueue([gen_ops.dynamic_partition(tensor, chosen, num_partitions=2)[1] for tensor in example])
    return examples.if_kept(lambda: enqueue(example))
