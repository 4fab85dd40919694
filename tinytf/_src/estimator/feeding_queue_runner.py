"""A queue runner whose threads enqueue values fed from Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf._src.estimator.feeding import Feeder
from tinytf._src.framework.errors import errors_impl
from tinytf._src.ops.data_flow.queue_runner import QueueRunner

_CLOSED = (errors_impl.OutOfRangeError, errors_impl.CancelledError)


class _FeedingQueueRunner(QueueRunner):
    """A queue runner whose enqueue operations are fed.

    Args:
      queue, enqueue_ops, close_op, cancel_op: as of `QueueRunner`.
      feed_fns: one entry for each operation: a callable that returns the feed dict of the next run, a `Feeder`, which
        is faster, or None. Each is called by the operation's thread only; an OutOfRangeError in it means the end of the
        input.
      queue_closed_exception_types: the value of the property with that name. Threads end quietly on OutOfRangeError and
        CancelledError in any case, as in TensorFlow.

    Raises:
      ValueError: if the number of `feed_fns` differs from that of operations.
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
        """The types passed to the constructor."""
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
        """Raises NotImplementedError: a message cannot hold the fed values."""
        raise NotImplementedError(f"{type(self).__name__} does not support serialization to proto.")
