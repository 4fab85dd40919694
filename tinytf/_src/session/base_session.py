"""Base class of `Session` and `InteractiveSession`: running a graph, introspection, and closing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Any

from tinytf import _core
from tinytf._core import run_cached
from tinytf._src.framework.context.context_stack import Entered
from tinytf._src.framework.context.defaults import default_sessions
from tinytf._src.framework.errors.error_traceback import REPORTED, Leaving, leave_to_user
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.no_copies import NotCopied
from tinytf._src.profiler import devices
from tinytf._src.session import callables
from tinytf._src.session.config import SessionName
from tinytf._src.session.engine import LocalEngine
from tinytf._src.session.feed import feed_array
from tinytf._src.session.partial_run import PartialRuns
from tinytf._src.session.session_arguments import check_target_and_config
from tinytf._src.session.session_inspection import SessionInspection
from tinytf._src.session.session_life import SessionLife
from tinytf._src.session.step_runner import StepRunner

if TYPE_CHECKING:
    from tinytf._src.debug.plan_report import PlanReport
    from tinytf._src.debug.session_stats import MemoryStats, SessionStats


class BaseSession(NotCopied):
    """Base class of `Session` and `InteractiveSession`. Thread-safe, except for entering and leaving contexts.

    `_engine` runs the steps that `_steps` prepares, `_partial_runs` holds the unfinished partial runs, `_inspection`
    describes engine and plans, `_life` closes the session.
    """

    _COPIED_AS = "Session"
    # if true, only the nodes that runs need are placed on devices, whatever the config says
    _places_pruned_graph = False

    def __init__(self, target: Any = "", graph: Graph | None = None, config: Any = None) -> None:
        if graph is None:
            graph = get_default_graph()
        elif not isinstance(graph, Graph):
            raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
        self._graph = graph
        self._target, factory = check_target_and_config(target, config)
        self._config = config = factory.config if config is None else config
        name = SessionName(config)
        try:
            self._engine = factory.new_engine(graph, self._target.decode(), config, self._places_pruned_graph)
        except BaseException:
            name.release()
            raise
        if config is not None and config.log_device_placement:
            devices.log_device_mapping()
        self._steps = StepRunner(graph, config, self._engine)
        self._inspection = SessionInspection(self._steps, self._target)
        self._partial_runs = PartialRuns(self._steps)
        self._life = SessionLife(name, self._steps, self._partial_runs, factory)
        factory.opened(self._life)

    # -- Running -----------------------------------------------------------------------------------------------------

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Runs the part of the graph that the fetches need and returns their values.

        Args:
          fetches: a Tensor, Operation, Variable, SparseTensor, IndexedSlices, name, or a nested structure of these.
          feed_dict: dict from tensors (or their names) to the values that replace them: numbers, lists, arrays,
            strings, …
          options: a `RunOptions` message, or None. `timeout_in_ms`, `trace_level`, `inter_op_thread_pool`,
            `output_partition_graphs` and `report_tensor_allocations_upon_oom` are honored.
          run_metadata: a `RunMetadata` message, which is overwritten, or None. It gets `step_stats` if the step is
            traced.

        Returns:
          The values in the structure of `fetches`: NumPy arrays, NumPy scalars for tensors of rank 0, bytes for string
          scalars, None for operations.

        Raises:
          RuntimeError: if the session is closed or the graph is empty.
          TypeError, ValueError: for fetches or feeds that are invalid or do not belong to the graph.
          errors.OpError: if the step fails; DeadlineExceededError if it timed out, CancelledError if the session was
            closed meanwhile. Ctrl-C also ends the step; the session stays usable.

        Example:
          x = tf.placeholder(tf.float32, [2])
          with tf.Session() as sess:
            sess.run(x * 2.0, feed_dict={x: [1.0, 2.0]})  # array([2., 4.])
        """
        steps = self._steps
        try:
            if options is not None or run_metadata is not None:
                return steps.run_with_options(self, fetches, feed_dict, options, run_metadata)
            if steps.seen_generation != steps.graph._generation:
                steps.extend()
            results = run_cached(steps.cache.calls, fetches, feed_dict)
            return steps.run_unfound(self, fetches, feed_dict) if results is NotImplemented else results
        except REPORTED as e:
            with Leaving():
                raise steps.reported(e, feed_dict, options) from e.__cause__

    async def run_async(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Awaitable form of `run`: the step runs on a thread of the session while the event loop continues.

        Cancelling the task cancels the step and returns at once; the session stays usable. Up to 32 steps run at a
        time; further ones wait for a thread.

        Args:
          fetches, feed_dict, options, run_metadata: as of `run`.

        Returns:
          The values in the structure of `fetches`, as of `run`.

        Raises:
          RuntimeError, TypeError, ValueError, errors.OpError: as `run` does.
          asyncio.CancelledError: if the task is cancelled.
        """
        import asyncio

        cancellation = _core.Cancellation()
        # in a box that the thread empties: the caller that gets the result may drop the last reference to the session
        box = [partial(self._run_cancellable, fetches, feed_dict, options, run_metadata, cancellation)]
        step = self._life.step_threads().submit(lambda: box.pop()())
        try:
            return await asyncio.wrap_future(step)
        except asyncio.CancelledError:
            cancellation.cancel()
            raise

    def _run_cancellable(self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any, cancellation: Any) -> Any:
        """Like `run`; the step ends when `cancellation` (a `_core.Cancellation`) is cancelled."""
        try:
            return self._steps.run_with_options(self, fetches, feed_dict, options, run_metadata, cancellation)
        except REPORTED as e:
            raise self._steps.reported(e, feed_dict, options) from e.__cause__

    def make_callable(self, fetches: Any, feed_list: Any = None, accept_options: bool = False) -> Callable[..., Any]:
        """Returns a function that runs `fetches`; its arguments are analyzed once.

        Args:
          fetches: as of `run`.
          feed_list: list or tuple of the tensors to feed; the function takes one value for each, in order. None: no
            feeds.
          accept_options: whether the function takes the keyword arguments `options` and `run_metadata` of `run`. With a
            `feed_list` it always does.

        Returns:
          A function that returns what `run` returns for `fetches`.

        Raises:
          TypeError: if `feed_list` is not a list or tuple, or `fetches` is invalid.
          ValueError: if `fetches` does not belong to the graph.

        Example:
          f = sess.make_callable(x * 2.0, feed_list=[x])
          f([1.0, 2.0])
        """
        if feed_list is not None:
            return callables.with_feeds(self.run, self._steps, fetches, feed_list)
        try:
            self._steps.extend_if_grown()
            call = callables.without_feeds(self, self._steps, fetches)
        except REPORTED:
            leave_to_user()
            raise
        return callables.with_options(self.run, self._steps, fetches, call) if accept_options else call

    def _make_callable_from_options(self, callable_options: Any) -> Callable[..., list[Any]]:
        """Returns a function that is described by a `CallableOptions` message.

        It takes one value for each name in `feed`, in order, and the keyword `run_metadata`, and returns a list with
        the values of `fetch`. Names without an index mean output 0. NumPy values must have the dtypes of their tensors.

        Raises:
          KeyError, ValueError: for names that the graph lacks.
          InvalidArgumentError: if nothing is fetched, or a tensor is fed twice, or both fed and fetched. The function
            raises it for a wrong number of values and for values of other dtypes, and InternalError for arrays of
            dtypes that tensors do not have.
        """
        self._steps.extend_if_grown()
        return callables.from_options(self, self._steps, callable_options)

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> str:
        """Starts a step whose feeds are given and whose fetches are taken by several calls of `partial_run`.

        Args:
          fetches: all tensors and operations that will be fetched, in any structure.
          feeds: list of all tensors that will be fed, or None for no feeds.

        Returns:
          The handle for `partial_run`, a string. It is valid until all feeds were given and all fetches taken. A
          session keeps 1000 unfinished partial runs; it drops the least recently used ones beyond that, with a warning.

        Raises:
          RuntimeError: if the session is closed or the graph is empty.
          AbortedError: if a reset of its server aborted the session.
          TypeError, ValueError: for fetches or feeds that are invalid or do not belong to the graph.
          InvalidArgumentError: if there is nothing to fetch, or a tensor is fed twice, or both fed and fetched.
        """
        self._steps.check_can_run()
        try:
            return self._partial_runs.set_up(self, fetches, feeds)
        except REPORTED:
            leave_to_user()
            raise

    def partial_run(self, handle: str, fetches: Any, feed_dict: Any = None) -> Any:
        """Continues a partial run: gives some of its feeds and takes some of its fetches, each of which can be used
        once.

        Args:
          handle: the string that `partial_run_setup` returned.
          fetches: tensors to fetch now, in any structure.
          feed_dict: values of the tensors to feed now, as of `run`.

        Returns:
          The values in the structure of `fetches`.

        Raises:
          RuntimeError: if operations are among the fetches, the session is closed or the graph is empty.
          InvalidArgumentError: for an unknown handle, for feeds and fetches that `partial_run_setup` did not name or
            that were used before, and for fetches that depend on feeds not yet given.
          FailedPreconditionError: in a signal handler that interrupts a call with the same handle.
        """
        self._steps.check_can_run()
        try:
            return self._partial_runs.go_on(self, handle, fetches, feed_dict)
        except REPORTED:
            leave_to_user()
            raise

    # -- Introspection -----------------------------------------------------------------------------------------------

    @property
    def graph(self) -> Graph:
        """The graph that the session runs."""
        return self._graph

    @property
    def graph_def(self) -> Any:
        """The graph as a `GraphDef` message, made anew at each access."""
        infer_shapes = self._config is not None and self._config.graph_options.infer_shapes
        return self._graph.as_graph_def(add_shapes=infer_shapes)

    @property
    def sess_str(self) -> bytes:
        """The target that the session was made with, as bytes."""
        return self._target

    def list_devices(self) -> list[devices._DeviceAttributes]:
        """Lists the devices that operations may run on.

        Returns:
          A list of objects with the fields `name`, `device_type`, `memory_limit_bytes` and `incarnation`.

        Raises:
          CancelledError: if the session is closed.
          InvalidArgumentError: if a reset of its server aborted the session.
        """
        return self._inspection.devices()

    def placements(self) -> dict[str, str]:
        """Returns a dict from operation names to the full names of their devices.

        It has the operations that the session has placed so far: all that the graph had at the last run, but in an
        `InteractiveSession` only the ones that runs needed.
        """
        return self._inspection.placements()

    def memory_stats(self) -> MemoryStats:
        """Returns the memory use of the session's tensors. After `close()` only memory that NumPy arrays still hold is
        left."""
        return self._inspection.memory_stats()

    def trim(self) -> int:
        """Returns idle memory of the session's allocator to the system.

        Steps may run meanwhile. Idle memory beyond 16 MiB is returned by itself after some seconds.

        Returns:
          int, the number of bytes returned.
        """
        return self._inspection.local_engine().trim()

    def watch_nan(self, enabled: bool = True, infinities: bool = True) -> None:
        """Makes steps fail at the first node that outputs a NaN or, with `infinities`, an infinity.

        The step's InvalidArgumentError names the node, the line that created it, its outputs, and the ranges of its
        inputs. The setting holds for all ways to run, also for callables made before. Watched steps compute nothing in
        place; the graph does not change.

        Args:
          enabled: False switches the check off again.
          infinities: whether infinities count, too.
        """
        self._inspection.local_engine().watch_nan((2 if infinities else 1) if enabled else 0)

    def trace(self, path: str | os.PathLike[str]) -> AbstractContextManager[None]:
        """Returns a context manager that traces the session's steps to a file for Perfetto or chrome://tracing.

        The trace has every `run`, on any thread, with its nodes: op, shapes, times, and the line of the program that
        created them. Calls of functions made by `make_callable` are included, partial runs are not. The file appears,
        complete, at the end of the block, also when the body raises.

        Args:
          path: the file to write.

        Raises:
          RuntimeError: on entry, if the session is being traced already.
          FileNotFoundError: if the directory does not exist.
        """
        from tinytf._src.profiler import trace

        return trace.traced(self._steps, path)

    def record(self, path: str | os.PathLike[str], steps: int | None = None) -> AbstractContextManager[None]:
        """Returns a context manager that records the session's steps to a file for `tf.replay`.

        The record has every `run`, on any thread, with all that its values depend on: graph, feeds, variables, states
        of the random generators, dequeued elements. Calls of functions made by `make_callable` are included, partial
        runs are not. Digests of each node's outputs let a replay find where it differs. Recorded steps run one at a
        time, except steps that may wait for others. The file appears, complete, at the end of the block, also when the
        body raises.

        Args:
          path: the file to write.
          steps: int, how many steps to record; None: all.

        Raises:
          RuntimeError: on entry, if the session is being recorded already.
          FileNotFoundError: if the directory of `path` does not exist.
          ValueError: if `steps` is less than 1.
        """
        from tinytf._src.debug import record

        self._inspection.local_engine()  # others do not take digests
        return record.recorded(self._steps, path, steps, feed_array)

    def stats(self) -> SessionStats:
        """Returns counters of the session: steps run, bytes copied for feeds, cached plans and calls, memory use,
        active runs."""
        return self._inspection.stats()

    def plan_report(self, fetches: Any, feed_list: Any = ()) -> PlanReport:
        """Reports what a `run` of these fetches would execute and how much memory it would need; runs nothing.

        Args:
          fetches: as of `run`.
          feed_list: the tensors that would be fed.

        Returns:
          A `PlanReport`.

        Raises:
          RuntimeError: if the session is closed or the graph is empty.
          TypeError, ValueError: for fetches or feeds that are invalid or do not belong to the graph.
        """
        return self._inspection.plan_report(self, fetches, feed_list)

    # -- Life --------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Closes the session and frees its resources, variables included.

        Running steps are cancelled; the call returns when they have ended. Closing again does nothing.

        Raises:
          AbortedError: the first time, if a reset of its server aborted the session. Its resources are freed all the
            same.
        """
        self._life.close()

    def __del__(self, _at_exit: Callable[[], bool] = sys.is_finalizing) -> None:
        # At interpreter exit modules may be gone already; the session's memory goes with the process.
        if not _at_exit() and hasattr(self, "_life"):
            self._drop()

    def _drop(self) -> None:
        """Closes a session that is no longer reachable, with a ResourceWarning if it is still open."""
        self._life.forget()
        if not self._life.is_over():
            try:
                self._life.warn_unclosed(self, "was not closed")
            finally:
                self.close()
        self._life.release_name()  # an interrupted close did not get to it

    def as_default(self) -> AbstractContextManager[Any]:
        """Returns a context manager that makes this the default session of the calling thread; it does not close the
        session."""
        return Entered(default_sessions, self)

    def __repr__(self) -> str:
        name = ("tf." if type(self).__module__.startswith("tinytf.") else "") + type(self).__name__
        if not hasattr(self, "_life"):
            return f"<{name}, not initialized>"
        state = "closed" if self._life.is_over() else "open"
        ops = self._graph.version
        return f"<{name} {state}, graph of {ops} operation{'' if ops == 1 else 's'}, made at {self._life.made_at}>"


def local_engine_of(session: Any) -> LocalEngine | None:
    """Returns the session's engine if it is of this process; None also for wrappers of sessions, which may run steps in
    their own way."""
    return session._engine.local if isinstance(session, BaseSession) else None
