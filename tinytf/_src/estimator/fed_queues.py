"""Queues of rows of NumPy arrays, filled by threads."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.estimator.feeding import Feeder
from tinytf._src.estimator.feeding_queue_runner import _FeedingQueueRunner
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.values import dtypes
from tinytf._src.monitored_session.queue_runners import add_queue_runner
from tinytf._src.ops import array_ops, math_ops
from tinytf._src.ops.data_flow.data_flow_ops import FIFOQueue, RandomShuffleQueue
from tinytf._src.ops.logging import summary_ops


def queue_of_rows(
    arrays: Sequence[Any],
    types: Sequence[Any],
    capacity: int,
    shuffle: bool,
    min_after_dequeue: int | None,
    num_threads: int,
    enqueue_size: int,
    num_epochs: int | None,
) -> Any:
    """Returns a queue whose elements are rows, with a component for each array, and adds its queue runner.

    Args:
      arrays: NumPy arrays of the same length, which is not 0.
      types: their dtypes.
      capacity: int, maximal number of rows in the queue.
      shuffle: bool, whether rows are dequeued in random order, and threads start at random rows. If the graph has a
        seed, the starts are determined by it.
      min_after_dequeue: int, rows that stay in the queue when shuffling; None: a quarter of the capacity.
      num_threads: int, number of threads that fill the queue.
      enqueue_size: int, rows that a thread enqueues at a time.
      num_epochs: int, how often each thread enqueues each row; None: indefinitely.

    Raises:
      ValueError: if there are no rows, or `enqueue_size` is less than 1.
    """
    _warn_of_threads(shuffle, num_threads, num_epochs)
    rows = len(arrays[0])
    if not rows or enqueue_size < 1:
        raise ValueError(f"The input and a batch must have at least one row, but have {rows} and {enqueue_size}.")
    with name_scope("enqueue_input"):
        shapes = [array.shape[1:] for array in arrays]
        least = 0
        queue: Any
        if shuffle:
            least = int(capacity / 4 if min_after_dequeue is None else min_after_dequeue)
            queue = RandomShuffleQueue(capacity, least, dtypes=types, shapes=shapes)
        else:
            queue = FIFOQueue(capacity, dtypes=types, shapes=shapes)
        ops, feeders = [], []
        for i in range(num_threads):
            placeholders = [array_ops.placeholder(dtype) for dtype in types]
            ops.append(queue.enqueue_many(placeholders))
            start = _start(i, rows) if shuffle else 0
            feeders.append(Feeder(placeholders, arrays, enqueue_size, start, num_epochs))
        add_queue_runner(_FeedingQueueRunner(queue, ops, feed_fns=feeders))
        room = capacity - least
        full = math_ops.cast(gen_ops.maximum(0, queue.size() - least), dtypes.float32) * (1.0 / room)
        summary_ops.scalar(f"queue/{queue.name}fraction_over_{least}_of_{room}_full", full)
    return queue


def dequeued(queue: Any, batch_size: int, num_epochs: int | None) -> list[Any]:
    """Dequeues a batch: a list with a tensor for each component. With `num_epochs` the last batch may be smaller."""
    return queue.dequeue_many(batch_size) if num_epochs is None else queue.dequeue_up_to(batch_size)


def _start(thread: int, rows: int) -> int:
    seed = get_default_graph().seed
    return random.Random(None if seed is None else f"{seed} {thread}").randrange(rows)


def _warn_of_threads(shuffle: bool, num_threads: int, num_epochs: int | None) -> None:
    if num_threads <= 1:
        return
    if num_epochs is not None:
        tf_logging.warning(
            "enqueue_data was called with num_epochs and num_threads > 1. num_epochs is applied per thread, so this will "
            "produce more epochs than you probably intend. If you want to limit epochs, use one thread."
        )
    if shuffle and num_epochs is not None:
        tf_logging.warning(
            "enqueue_data was called with shuffle=True, num_threads > 1, and num_epochs. This will create multiple threads, "
            "all reading the array/dataframe in order adding to the same shuffling queue; the results will likely not be "
            "sufficiently shuffled."
        )
    if not shuffle:
        tf_logging.warning(
            "enqueue_data was called with shuffle=False and num_threads > 1. This will create multiple threads, all reading "
            "the array/dataframe in order. If you want examples read in order, use one thread; if you want multiple threads, "
            "enable shuffling."
        )
