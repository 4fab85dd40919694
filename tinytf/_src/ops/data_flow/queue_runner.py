"""`tf.train.QueueRunner`: threads that fill a queue until the input ends or a stop is requested."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.scopes.name_scope import prepend_name_scope, strip_name_scope

_CLOSED = (errors_impl.OutOfRangeError,)


@tf_export("train.QueueRunner", "train.queue_runner.QueueRunner")
class QueueRunner:
    """Runs each of several enqueue operations repeatedly in a thread of its own. Thread-safe.

    The last thread that reaches the end of its input closes the queue. Other exceptions of the threads go to the
    coordinator, if there is one, which also joins the threads; else they are kept in `exceptions_raised`.

    Args:
      queue: queue to fill.
      enqueue_ops: list of operations that enqueue elements.
      close_op: optional operation that closes the queue; created by default.
      cancel_op: optional operation that closes the queue and cancels pending enqueues; created by default.
      queue_closed_exception_types: optional tuple of exception classes that mean the end of input; defaults to
        OutOfRangeError.
      queue_runner_def: optional `QueueRunnerDef` that replaces all arguments above.
      import_scope: optional scope of the names of `queue_runner_def` in the default graph.

    Raises:
      RuntimeError: in eager execution.
      ValueError: if `queue` or `enqueue_ops` is missing, or given together with `queue_runner_def`.
      TypeError: if `queue_closed_exception_types` is not a tuple of exception classes of `tf.errors`.
    """

    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Any = None,
        close_op: Any = None,
        cancel_op: Any = None,
        queue_closed_exception_types: Any = None,
        queue_runner_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if executing_eagerly():
            raise RuntimeError(
                "QueueRunners are not supported when eager execution is enabled. Instead, please use tf.data to get data "
                "into your model."
            )
        if queue_runner_def:
            if queue or enqueue_ops:
                raise ValueError("queue_runner_def and queue are mutually exclusive.")
            self._take_def(queue_runner_def, import_scope)
        else:
            if not queue or not enqueue_ops:
                raise ValueError("Must provide queue and enqueue_ops.")
            _check_errors(queue_closed_exception_types)
            self._queue = queue
            self._enqueue_ops = enqueue_ops
            self._close_op = queue.close() if close_op is None else close_op
            self._cancel_op = queue.close(cancel_pending_enqueues=True) if cancel_op is None else cancel_op
            self._closed_types = queue_closed_exception_types or _CLOSED
        self._lock = threading.Lock()
        # The number of running threads by session.
        self._running: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._exceptions_raised: list[Exception] = []

    def _take_def(self, message: Any, scope: str | None) -> None:
        graph = get_default_graph()

        def element(name: str) -> Any:
            return graph.as_graph_element(prepend_name_scope(name, scope))

        self._queue = element(message.queue_name)
        self._enqueue_ops = [element(name) for name in message.enqueue_op_name]
        self._close_op = element(message.close_op_name)
        self._cancel_op = element(message.cancel_op_name)
        codes = message.queue_closed_exception_types
        self._closed_types = tuple(errors_impl.exception_type_from_error_code(code) for code in codes) or _CLOSED

    @property
    def queue(self) -> Any:
        """The queue; for an imported runner, the operation that creates it."""
        return self._queue

    @property
    def enqueue_ops(self) -> Any:
        """The operations that the threads run."""
        return self._enqueue_ops

    @property
    def close_op(self) -> Any:
        """The operation that the last thread runs at the end of input."""
        return self._close_op

    @property
    def cancel_op(self) -> Any:
        """The operation that runs when the coordinator stops."""
        return self._cancel_op

    @property
    def queue_closed_exception_types(self) -> Any:
        """The exception classes that mean the end of input."""
        return self._closed_types

    @property
    def exceptions_raised(self) -> list[Exception]:
        """The exceptions of the threads since their creation, if they have no coordinator."""
        return self._exceptions_raised

    @property
    def name(self) -> str:
        """The name of the queue."""
        return self._queue.name

    def _has_started(self) -> bool:
        """Returns whether threads were created for a session that still exists."""
        with self._lock:
            return len(self._running) > 0

    def _is_running(self) -> bool:
        """Returns whether a thread of any session has not ended."""
        with self._lock:
            return any(self._running.values())

    @called_by_users
    def create_threads(
        self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False
    ) -> list[threading.Thread]:
        """Creates the threads for a session.

        Args:
          sess: session in which the threads run their operations.
          coord: optional Coordinator that registers the threads and receives their exceptions. One more thread cancels
            pending enqueues when it stops.
          daemon: bool, whether the threads are daemons.
          start: bool, whether the threads are started.

        Returns:
          A list of threads; empty if earlier threads for this session are still running.
        """
        with self._lock:
            if self._running.get(sess, 0) > 0:
                return []
            self._running[sess] = len(self._enqueue_ops)
            self._exceptions_raised = []
        threads = [self._thread(op.name, self._run, sess, i, coord) for i, op in enumerate(self._enqueue_ops)]
        if coord:
            threads.append(self._thread("close_on_stop", self._close_on_stop, sess, coord))
        for thread in threads:
            if coord:
                coord.register_thread(thread)
            thread.daemon = daemon or thread.daemon
            if start:
                thread.start()
        return threads

    def _thread(self, what: str, target: Any, *args: Any) -> threading.Thread:
        return threading.Thread(target=target, args=args, name=f"QueueRunnerThread-{self.name}-{what}")

    def _run(self, sess: Any, number: int, coord: Any) -> None:
        """The body of an enqueue thread."""
        try:
            enqueue = self._enqueuer(sess, number)
            while not (coord and coord.should_stop()):
                enqueue()
        except self._closed_types:
            if self._is_last(sess):
                _run_quietly(sess, self._close_op)
        except Exception as error:  # Catches everything, because the error is reported to the coordinator or the log.
            self._is_last(sess)
            if coord:
                if coord.joined and isinstance(error, errors_impl.CancelledError):
                    return  # The coordinator no longer waits for this thread, and the session is closed.
                coord.request_stop(error)
                return
            tf_logging.error("Exception in QueueRunner: %s", str(error))
            with self._lock:
                self._exceptions_raised.append(error)
            raise
        else:
            self._is_last(sess)

    def _enqueuer(self, sess: Any, number: int) -> Callable[[], Any]:
        """Returns the callable that the thread with this number calls repeatedly."""
        return sess.make_callable(self._enqueue_ops[number])

    def _is_last(self, sess: Any) -> bool:
        """Decrements the number of running threads; returns whether it is now 0."""
        with self._lock:
            self._running[sess] -= 1
            return self._running[sess] == 0

    def _close_on_stop(self, sess: Any, coord: Any) -> None:
        coord.wait_for_stop()
        _run_quietly(sess, self._cancel_op)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Converts the runner to a proto.

        Args:
          export_scope: optional name scope; names become relative to it.

        Returns:
          A `QueueRunnerDef`; None if the queue is outside the scope.
        """
        if export_scope is not None and not self.name.startswith(export_scope):
            return None
        return protos.QueueRunnerDef(
            queue_name=strip_name_scope(self.name, export_scope),
            enqueue_op_name=[strip_name_scope(op.name, export_scope) for op in self._enqueue_ops],
            close_op_name=strip_name_scope(self._close_op.name, export_scope),
            cancel_op_name=strip_name_scope(self._cancel_op.name, export_scope),
            queue_closed_exception_types=map(errors_impl.error_code_from_exception_type, self._closed_types),
        )

    @staticmethod
    def from_proto(queue_runner_def: Any, import_scope: str | None = None) -> QueueRunner:
        """Creates the runner of a proto, whose operations exist in the default graph.

        Args:
          queue_runner_def: `QueueRunnerDef`.
          import_scope: optional name scope of the operations.

        Returns:
          A QueueRunner.
        """
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


def _check_errors(types: Any) -> None:
    if types is not None and not (
        isinstance(types, tuple) and types and all(issubclass(kind, errors_impl.OpError) for kind in types)
    ):
        raise TypeError(
            f"queue_closed_exception_types, when provided, must be a tuple of tf.error types, but saw: {types}"
        )


def _run_quietly(sess: Any, op: Any) -> None:
    """Runs an operation that closes a queue; errors are ignored, because the session or another runner may have closed
    it already.
    """
    try:
        sess.run(op)
    except (errors_impl.OpError, RuntimeError) as error:
        tf_logging.vlog(1, "Ignored exception: %s", str(error))
