"""What `Session` and `InteractiveSession` share: the ways to run a graph, what is told of that, and their ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from tinytf import _core
from tinytf.client import callables
from tinytf.client.config import SessionName, core_options
from tinytf.client.feed import feed_array, feed_list_tensors
from tinytf.client.fetch import FetchHandler
from tinytf.client.partial_run import PartialRuns
from tinytf.client.session_arguments import check_target_and_config
from tinytf.client.session_life import RESTARTED, SessionLife
from tinytf.client.step_request import StepRequest
from tinytf.client.step_runner import CLOSED, StepRunner
from tinytf.framework import errors_impl
from tinytf.framework.default_graph import default_sessions, get_default_graph
from tinytf.framework.error_traceback import REPORTED, Leaving, leave_to_user
from tinytf.framework.graph import Graph
from tinytf.framework.no_copies import NotCopied
from tinytf.insight import devices

if TYPE_CHECKING:
    from tinytf.insight.plan_report import PlanReport
    from tinytf.insight.session_stats import MemoryStats, SessionStats


class BaseSession(NotCopied):
    """What Session and InteractiveSession share. Thread-safe, but for entering and leaving contexts.

    `_steps` prepares and runs, `_partial_runs` has the steps that are run bit by bit, `_life` ends all that.
    """

    _COPIED_AS = "Session"
    _places_pruned_graph = False  # only what runs need is placed on devices, whatever the config says

    def __init__(self, target: Any = "", graph: Graph | None = None, config: Any = None) -> None:
        if graph is None:
            graph = get_default_graph()
        elif not isinstance(graph, Graph):
            raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
        self._graph = graph
        self._target, server = check_target_and_config(target, config)
        self._config = config = server.config if server is not None and config is None else config
        name = SessionName(config)
        try:
            options = core_options(config, self._places_pruned_graph)
            if server is not None:
                options |= server.core_options(self._target.decode(), config)
            self._session = _core.Session(graph._core, **options)
        except BaseException:
            name.release()
            raise
        self._devices = devices.device_attributes(self._session)
        if config is not None and config.log_device_placement:
            devices.log_device_mapping()
        self._steps = StepRunner(graph, config, self._session)
        self._partial_runs = PartialRuns()
        self._life = SessionLife(name, self._steps, self._partial_runs, server is not None)
        if server is not None:
            server.opened(self._life)

    # -- Running -----------------------------------------------------------------------------------------------------

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Runs what the fetches need and returns their values in the same structure.

        Args:
          fetches: a Tensor, Operation, Variable, SparseTensor, IndexedSlices, name, or a nested structure of these.
          feed_dict: values to use in place of tensors: {tensor or name: number, list, array, string, …}.
          options: a `RunOptions` message: `timeout_in_ms`, `trace_level`, `inter_op_thread_pool`,
            `output_partition_graphs` and `report_tensor_allocations_upon_oom` are honoured.
          run_metadata: a `RunMetadata` message, which is overwritten: with `step_stats` if the step is traced.

        Returns NumPy arrays; NumPy scalars for rank 0, bytes for string scalars, None for operations.

        Raises RuntimeError if the session is closed or the graph empty, TypeError and ValueError for unsuitable fetches
        and feeds, and an `errors.OpError` if the step fails: DeadlineExceededError if it took too long, CancelledError if
        the session was closed meanwhile. Ctrl-C ends the step too; the session stays usable.
        """
        steps = self._steps
        try:
            if options is not None or run_metadata is not None:
                return self._run_with_options(fetches, feed_dict, options, run_metadata)
            if steps.seen_generation != steps.graph._generation:
                steps.extend()
            try:
                call = steps.cache.calls.get(
                    (
                        fetches.__class__,
                        fetches if fetches.__class__ is not list else tuple(fetches),
                        *(feed_dict or ()),
                    )
                )
            except TypeError:  # an unhashable structure, or a feed_dict that is none
                call = None
            if call is None:
                if steps.counts_costs:
                    return self._run_with_options(fetches, feed_dict, None, None)
                key, call = steps.find_call(fetches, feed_dict)
                if call is None:
                    return steps.run_uncached(self, fetches, feed_dict, key, None)
            prepared, build = call
            return build(prepared.call(tuple(feed_dict.values()) if feed_dict else ()))
        except REPORTED as e:
            with Leaving():
                raise steps.reported(e, feed_dict, options) from e.__cause__

    def _run_with_options(
        self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any, cancellation: Any = None
    ) -> Any:
        steps = self._steps
        if steps.closed:
            raise RuntimeError(CLOSED)
        request = StepRequest(options, run_metadata, steps.counts_costs)
        request.core_arguments["cancellation"] = cancellation
        if steps.seen_generation != steps.graph._generation:
            steps.extend()
        key, call = (None, None) if request.needs_signature else steps.find_call(fetches, feed_dict)
        if call is None:
            results = steps.run_uncached(self, fetches, feed_dict, key, request)
        else:
            prepared, build = call
            values = tuple(feed_dict.values()) if feed_dict else ()
            results, request.nodes = prepared.call_with(values, **request.core_arguments)
            results = build(results)
        request.fill(run_metadata, self._graph, steps.known_placements)
        return results

    async def run_async(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """`run`, awaited: the step runs on a thread of the session while the event loop goes on.

        Takes, returns and raises what `run` does. Cancelling the task cancels the step, and returns at once; the session
        stays usable. Up to 32 steps run at a time, further ones wait for a thread.
        """
        import asyncio

        from tinytf.client.step_threads import submit_step

        cancellation = _core.Cancellation()
        step = submit_step(self, fetches, feed_dict, options, run_metadata, cancellation)
        try:
            return await asyncio.wrap_future(step)
        except asyncio.CancelledError:
            cancellation.cancel()
            raise

    def _run_cancellable(self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any, cancellation: Any) -> Any:
        """`run`, of a step that ends when `cancellation` (of the core) is cancelled."""
        try:
            return self._run_with_options(fetches, feed_dict, options, run_metadata, cancellation)
        except REPORTED as e:
            raise self._steps.reported(e, feed_dict, options) from e.__cause__

    def make_callable(self, fetches: Any, feed_list: Any = None, accept_options: bool = False) -> Callable[..., Any]:
        """A function that runs `fetches`, prepared once.

        With `feed_list` it takes one value per entry, in order. With `accept_options` it also takes the keywords
        `options` and `run_metadata`. TypeError if `feed_list` is no list or tuple.
        """
        if feed_list is not None:
            return callables.with_feeds(self, fetches, feed_list)
        try:
            self._steps.extend_if_grown()
            call = callables.without_feeds(self, fetches)
        except REPORTED:
            leave_to_user()
            raise
        return callables.with_options(self, fetches, call) if accept_options else call

    def _make_callable_from_options(self, callable_options: Any) -> Callable[..., list[Any]]:
        """A function that takes the values of `CallableOptions.feed` in order and returns those of `fetch` in a list.

        It also takes the keyword `run_metadata`. Names without an index mean output 0. NumPy values must have the types of
        their tensors. Errors are the runtime's own: InvalidArgumentError for values of other types or numbers, and if nothing
        is asked for, or a tensor both fed and fetched; InternalError for arrays of types that tensors do not have. KeyError
        and ValueError for names that the graph lacks.
        """
        self._steps.extend_if_grown()
        return callables.from_options(self, callable_options)

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> str:
        """Starts a step whose feeds come and whose fetches are taken by several calls of `partial_run`.

        Args:
          fetches: everything that will be fetched, in any structure.
          feeds: the tensors that will be fed, in a list.

        Returns the handle for `partial_run`, which holds until all feeds were given and all fetches taken; of more than
        1000 unfinished ones those that were used least recently are given up, with a warning. RuntimeError if the session
        is closed or the graph empty, TypeError and ValueError for unsuitable fetches and feeds, InvalidArgumentError if
        there is nothing to fetch or a
        feed is fetched too.
        """
        self._steps.check_can_run()
        try:
            return self._partial_runs.set_up(self, fetches, feeds)
        except REPORTED:
            leave_to_user()
            raise

    def partial_run(self, handle: str, fetches: Any, feed_dict: Any = None) -> Any:
        """Goes on with a step: gives some of its feeds, takes some of its fetches. Each can be used once.

        Returns the values of `fetches` in their structure. InvalidArgumentError for an unknown handle, for feeds and
        fetches that `partial_run_setup` did not name or that were used before, and for fetches that need other feeds;
        FailedPreconditionError in a signal's handler that interrupts a call with the same handle; RuntimeError if
        operations are among the fetches.
        """
        self._steps.check_can_run()
        try:
            return self._partial_runs.go_on(self, handle, fetches, feed_dict)
        except REPORTED:
            leave_to_user()
            raise

    # -- What is told of it ------------------------------------------------------------------------------------------

    @property
    def graph(self) -> Graph:
        """The graph that the session runs."""
        return self._graph

    @property
    def graph_def(self) -> Any:
        """The graph as a GraphDef message, made at each access."""
        infer_shapes = self._config is not None and self._config.graph_options.infer_shapes
        return self._graph.as_graph_def(add_shapes=infer_shapes)

    @property
    def sess_str(self) -> bytes:
        """The target that the session was made with."""
        return self._target

    def list_devices(self) -> list[devices._DeviceAttributes]:
        """The devices that operations may run on: `name`, `device_type`, `memory_limit_bytes` and `incarnation` each.

        CancelledError if the session is closed, InvalidArgumentError if its server lost it."""
        if self._steps.closed:
            raise errors_impl.CancelledError(None, None, "Session has been closed.")
        if self._steps.lost:
            raise errors_impl.InvalidArgumentError(None, None, f"{self._steps.lost} {RESTARTED}")
        return list(self._devices)

    def placements(self) -> dict[str, str]:
        """The full name of the device that each operation runs on, by the operation's name.

        Of the operations that the session has placed so far: at a run all that the graph has, but an
        `InteractiveSession` places only what its runs need.
        """
        return devices.placements(self._session)

    def memory_stats(self) -> MemoryStats:
        """The memory that the session's tensors use; also after `close()`, which gives back what no array holds."""
        from tinytf.insight import session_stats

        return session_stats.memory_stats(self._session)

    def trim(self) -> int:
        """Gives the memory that waits for new tensors back to the system; how many bytes.

        Steps may run meanwhile. Idle memory goes back by itself after some seconds, but for 16 MiB.
        """
        return self._session.trim()

    def watch_nan(self, enabled: bool = True, infinities: bool = True) -> None:
        """Makes steps fail at the first node that yields a NaN, or an infinity if `infinities`; until disabled.

        The InvalidArgumentError names the node and its line, what it yielded, and the ranges of its inputs. Holds for
        all ways to run, callables made before too. Watched steps compute nothing in place; the graph does not change.
        """
        self._session.watch_nan((2 if infinities else 1) if enabled else 0)

    def trace(self, path: str | os.PathLike[str]) -> AbstractContextManager[None]:
        """A context manager that writes what the session's steps did in it to a file, for Perfetto or chrome://tracing.

        Every `run` is there, on any thread, with the nodes that it ran: op, shapes, times, and the line of the program
        that made them; functions of `make_callable` are not. The file appears complete at the end, also when the body
        raises. RuntimeError if the session is being traced already, FileNotFoundError if the directory is missing.
        """
        from tinytf.insight import trace

        return trace.traced(self._steps, path)

    def record(self, path: str | os.PathLike[str], steps: int | None = None) -> AbstractContextManager[None]:
        """A context manager that writes the session's steps in it, or the first `steps`, to a file for `tf.replay`.

        Every `run` is there, on any thread, with all that its values depend on: graph, feeds, variables, states of the
        random generators, what queues gave; functions of `make_callable` and partial runs are not. Digests of what each
        node yielded tell a replay where it differs. Recorded steps run one at a time, but for those that may wait for
        others. The file appears complete at the end, also when the body raises. RuntimeError if the session is being
        recorded already, FileNotFoundError if the directory is missing, ValueError if `steps` is less than 1.
        """
        from tinytf.insight import record

        return record.recorded(self._steps, path, steps, feed_array)

    def stats(self) -> SessionStats:
        """What the session has done and prepared, and how it uses memory."""
        from tinytf.insight import session_stats

        core = self._session
        return session_stats.SessionStats(
            core.steps(),
            core.feed_bytes_copied(),
            len(self._steps.cache.prepared),
            len(self._steps.cache.calls),
            self.memory_stats(),
            core.active_runs(),
        )

    def plan_report(self, fetches: Any, feed_list: Any = ()) -> PlanReport:
        """What a `run` of these fetches, fed these tensors, executes and how much memory it needs; nothing is run.

        TypeError and ValueError for unsuitable fetches and feeds, RuntimeError if the session is closed or the graph empty.
        """
        from tinytf.insight.plan_report import plan_report

        self._steps.check_can_run()
        feeds = list(dict.fromkeys(feed_list_tensors(self._graph, feed_list)))
        handler = FetchHandler(self._graph, fetches, feeds, self)
        prepared = self._steps.prepare(feeds, handler.tensors, handler.targets)
        return plan_report(self._graph, prepared.describe(), feeds, handler.tensors)

    # -- Life --------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Frees what the session holds, variables too. Running steps are cancelled; returns when they have ended.

        AbortedError, once, if the session is a server's and was lost by a reset: what it held is freed all the same."""
        self._life.close()

    def __del__(self, _at_exit: Callable[[], bool] = sys.is_finalizing) -> None:
        # When the interpreter ends, modules may be gone already; what the session holds goes with the process.
        if not _at_exit() and hasattr(self, "_life"):
            self._drop()

    def _drop(self) -> None:
        """Ends a session that nobody can reach any more."""
        self._life.forget()
        if not self._life.is_over():
            try:
                self._life.warn_unclosed(self, "was not closed")
            finally:
                self.close()
        self._life.release_name()  # a close that was interrupted did not come to it

    def as_default(self) -> AbstractContextManager[Any]:
        """A context manager that makes this the default session of the calling thread; does not close it."""
        return default_sessions.entered(self)

    def __repr__(self) -> str:
        name = ("tf." if type(self).__module__.startswith("tinytf.") else "") + type(self).__name__
        if not hasattr(self, "_life"):
            return f"<{name} that could not be made>"
        state = "closed" if self._life.is_over() else "open"
        ops = self._graph.version
        return f"<{name} {state}, graph of {ops} operation{'' if ops == 1 else 's'}, made at {self._life.made_at}>"
