"""Threads that put elements into a queue which Python has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf.estimators.feeding import Feeder
from tinytf.framework import errors_impl
from tinytf.ops.data_flow.queue_runner import QueueRunner

_CLOSED = (errors_impl.OutOfRangeError, errors_impl.CancelledError)


class _FeedingQueueRunner(QueueRunner):
    """A queue runner whose operations are fed, each by its feeder, which only its thread uses."""

    def __init__(self, queue: Any, enqueue_ops: Sequence[Any], feeders: Sequence[Feeder]) -> None:
        super().__init__(queue, enqueue_ops, queue_closed_exception_types=_CLOSED)
        self._feeders = {op.name: feeder for op, feeder in zip(enqueue_ops, feeders)}

    def _enqueuer(self, sess: Any, enqueue_op: Any) -> Callable[[], Any]:
        feeder = self._feeders[enqueue_op.name]
        enqueue = sess.make_callable(enqueue_op, feed_list=feeder.placeholders)
        return lambda: enqueue(*feeder.next_batch())

    def to_proto(self, export_scope: str | None = None) -> Any:
        """NotImplementedError: a message cannot hold what it feeds."""
        raise NotImplementedError(f"{type(self).__name__} does not support serialization to proto.")
