"""Threads that put elements into a queue which Python has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf.estimators.feeding import Feeder
from tinytf.framework import errors_impl
from tinytf.ops.data_flow.queue_runner import QueueRunner

_CLOSED = (errors_impl.OutOfRangeError, errors_impl.CancelledError)


class _FeedingQueueRunner(QueueRunner):
    """A queue runner whose operations are fed.

    Args:
      queue, enqueue_ops, close_op, cancel_op: as those of `QueueRunner`.
      feed_fns: for each operation a function that returns what to feed, by placeholder, called before each run by the
        operation's thread alone; or a `Feeder`, which is faster, or None. An OutOfRangeError of it is the end of the input.
      queue_closed_exception_types: what the property of that name says. Threads end quietly by OutOfRangeError and
        CancelledError, as in TensorFlow.

    ValueError if there are not as many functions as operations.
    """

    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Any = None,
        close_op: Any = None,
        cancel_op: Any = None,
        feed_fns: Sequence[Feeder | Callable[[], Any] | None] | None = None,
        queue_closed_exception_types: Any = None,
    ) -> None:
        types = _CLOSED if queue_closed_exception_types is None else queue_closed_exception_types
        super().__init__(queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types=types)
        if feed_fns is not None and len(feed_fns) != len(enqueue_ops):
            raise ValueError("If feed_fns is not None, it must have the same length as enqueue_ops.")
        self._feed_fns = feed_fns
        self._declared_types, self._closed_types = types, _CLOSED

    @property
    def queue_closed_exception_types(self) -> Any:
        """What was given."""
        return self._declared_types

    def _enqueuer(self, sess: Any, number: int) -> Callable[[], Any]:
        feed = None if self._feed_fns is None else self._feed_fns[number]
        if feed is None:
            return super()._enqueuer(sess, number)
        op = self._enqueue_ops[number]
        if isinstance(feed, Feeder):
            enqueue = sess.make_callable(op, feed_list=feed.placeholders)
            return lambda: enqueue(*feed.next_batch())
        return lambda: sess.run(op, feed_dict=feed())

    def to_proto(self, export_scope: str | None = None) -> Any:
        """NotImplementedError: a message cannot hold what it feeds."""
        raise NotImplementedError(f"{type(self).__name__} does not support serialization to proto.")
