"""What `Session` and `InteractiveSession` share: running parts of a graph, and the state that runs leave."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from operator import is_ as _is
from typing import TYPE_CHECKING, Any

from tinytf import _core
from tinytf.client import devices, growth, lifetime
from tinytf.client.config import SessionName, check_executor, check_extension, core_options
from tinytf.client.feed import are_plain, expand_feeds, feed_array
from tinytf.client.fetch import FetchHandler, structure_key
from tinytf.client.partial_run import PartialRuns
from tinytf.client.session_arguments import check_target_and_config
from tinytf.client.step_request import StepRequest
from tinytf.client.users_site import UsersSite, users_frame
from tinytf.framework import error_interpolation, errors_impl
from tinytf.framework.error_traceback import REPORTED, without_own_frames
from tinytf.framework.graph import Graph, _default_sessions, get_default_graph
from tinytf.framework.log import logger
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor

if TYPE_CHECKING:
    from tinytf.client.plan_report import PlanReport
    from tinytf.client.record import StepRecorder
    from tinytf.client.session_stats import MemoryStats, SessionStats
    from tinytf.client.step_threads import StepThreads
    from tinytf.client.trace import StepTracer

_EMPTY_GRAPH = "The Session graph is empty.  Add operations to the graph before calling run()."
_CLOSED = "Attempted to use a closed Session."


def _returned(values: Any) -> Any:
    return values


# What make_callable returns: keeps the session, as the prepared call alone does not; errors are the core's own.
def _call(session: BaseSession, prepared: Any) -> Any:
    return prepared.call(())


def _call_structured(session: BaseSession, prepared: Any, handler: FetchHandler) -> Any:
    return handler.build_results(prepared.call(()), {})


class BaseSession:
    """What Session and InteractiveSession share. Thread-safe, but for entering and leaving contexts."""

    _places_pruned_graph = False  # only what runs need is placed on devices, whatever the config says
    _step_threads: StepThreads | None = None  # the object gets its own with the first run_async

    def __init__(self, target: Any = "", graph: Graph | None = None, config: Any = None) -> None:
        if graph is None:
            graph = get_default_graph()
        elif not isinstance(graph, Graph):
            raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
        self._closed = False
        self._graph = graph
        self._target = check_target_and_config(target, config)
        self._config = config
        self._name = SessionName(config)
        try:
            self._session = _core.Session(graph._core, **core_options(config, self._places_pruned_graph))
        except errors_impl.OpError:
            self._name.release()
            raise
        self._devices = devices.device_attributes(self._session)
        if config is not None and config.log_device_placement:
            devices.log_device_mapping()
        self._calls: dict[Any, Any] = {}  # (class, fetches, feed keys) → (prepared call, results → structure)
        self._prepared: dict[Any, Any] = {}  # (feeds, tensors, targets, yield) → prepared call
        self._partial_runs = PartialRuns()
        self._seen_generation = 0  # of the graph, at the last step
        self._counts_costs = config is not None and config.graph_options.build_cost_model > 0
        self._step_counts: dict[Any, int] = {}  # by signature, if costs are counted
        self._tracer: StepTracer | None = None
        self._recorder: StepRecorder | None = None
        self._made_at = UsersSite(users_frame())
        lifetime.opened(self)

    # -- Properties --------------------------------------------------------------------------------------------------

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
        """The devices that operations may run on: `name`, `device_type`, `memory_limit_bytes` and `incarnation` each."""
        return list(self._devices)

    def placements(self) -> dict[str, str]:
        """The full name of the device that each operation runs on, by the operation's name.

        Of the operations that the session has placed so far: at a run all that the graph has, but an
        `InteractiveSession` places only what its runs need.
        """
        return devices.placements(self._session)

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
        if self._closed:
            raise RuntimeError(_CLOSED)
        try:
            if options is not None or run_metadata is not None or self._counts_costs:
                return self._run_with_options(fetches, feed_dict, options, run_metadata)
            if self._seen_generation != self._graph._generation:
                self._extend()
            try:
                key: Any = (
                    fetches.__class__,
                    fetches if fetches.__class__ is not list else tuple(fetches),
                    *(feed_dict or ()),
                )
                call = self._calls.get(key)
            except TypeError:  # an unhashable structure, or a feed_dict that is none
                call = None
            if call is None:
                key = (fetches.__class__, structure_key(fetches), *(feed_dict or ()))
                try:
                    call = self._calls.get(key)
                except TypeError:
                    key = None
                if call is None:
                    return self._run_uncached(fetches, feed_dict, key, None)
            prepared, build = call
            return build(prepared.call(tuple(feed_dict.values()) if feed_dict else ()))
        except REPORTED as e:
            raise self._reported(e, feed_dict, options) from e.__cause__

    def _run_with_options(
        self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any, cancellation: Any = None
    ) -> Any:
        request = StepRequest(options, run_metadata)
        request.core_arguments["cancellation"] = cancellation
        if self._seen_generation != self._graph._generation:
            self._extend()
        results = self._run_uncached(fetches, feed_dict, None, request)
        request.fill(run_metadata, self._graph, self.placements)
        return results

    def _run_uncached(self, fetches: Any, feed_dict: Any, key: Any, request: StepRequest | None) -> Any:
        """Resolves fetches and feeds, runs, and remembers the resolved call under `key` where that is possible."""
        if self._graph.version == 0:
            raise RuntimeError(_EMPTY_GRAPH)
        pairs = expand_feeds(self._graph, feed_dict) if feed_dict else []
        handler = FetchHandler(self._graph, fetches, [tensor for tensor, _ in pairs], self)
        asks = bool(handler.tensors or handler.targets)
        plain = asks and not handler.has_special_leaves and all(self._graph.is_feedable(t) for t, _ in pairs)
        values = [value if plain else feed_array(tensor, value) for tensor, value in pairs]
        if not plain:
            fed = {tensor: array for (tensor, _), array in zip(pairs, values, strict=True)}
            results = (
                self._call(self._prepare(fed, handler.tensors, handler.targets, "list", request), fed, request, handler)
                if asks
                else []
            )
            return handler.build_results(results, fed)
        feeds = [tensor for tensor, _ in pairs]
        build: Any = _returned
        if isinstance(fetches, Operation):
            prepared = self._prepare(feeds, (), handler.targets, "none", request)
        elif isinstance(fetches, Tensor):
            prepared = self._prepare(feeds, handler.tensors, (), "single", request)
        else:
            prepared = self._prepare(feeds, handler.tensors, handler.targets, "list", request)
            if not (
                fetches.__class__ is list
                and all(map(_is, fetches, handler.tensors))
                and len(fetches) == len(handler.tensors)
            ):
                build = lambda results: handler.build_results(results, {})  # noqa: E731
        if key is not None and are_plain(feed_dict or ()):
            self._calls[key] = (prepared, build)
        return build(self._call(prepared, dict(zip(feeds, values, strict=True)), request, handler))

    def _call(self, prepared: Any, fed: dict[Tensor, Any], request: StepRequest | None, handler: FetchHandler) -> Any:
        values = list(fed.values())
        if request is None and self._tracer is None and self._recorder is None:
            return prepared.call(values)
        arguments = request.core_arguments if request is not None else {}
        if self._tracer is not None:
            arguments = {**arguments, "traced": True}
        if self._recorder is not None:
            prepared = self._recorder.recording(prepared, fed, handler)
        results, nodes = self._call_with(prepared, values, arguments, handler)
        if request is not None:
            request.nodes = nodes
        return results

    def _call_with(
        self, prepared: Any, values: list[Any], arguments: dict[str, Any], handler: FetchHandler
    ) -> tuple[Any, Any]:
        """The results, and what the nodes did if they are traced."""
        step = partial(prepared.call_with, values, **arguments)
        if self._tracer is None:
            return step()
        return self._tracer.run(step, [*handler.tensors, *handler.targets])

    def _prepare(
        self, feeds: Any, tensors: Any, targets: Any, yield_: str = "list", request: StepRequest | None = None
    ) -> Any:
        """A call of the core for these feeds and fetches."""
        signature = (tuple(feeds), tuple(tensors), tuple(targets), yield_)
        if request is not None:
            request.signature = signature[:3]
            if self._counts_costs:
                from tinytf.client.cost_graph import is_cost_model_due

                earlier_steps = self._step_counts.get(signature, 0)
                self._step_counts[signature] = earlier_steps + 1
                request.count_costs(is_cost_model_due(self._config, earlier_steps))
        prepared = self._prepared.get(signature)
        if prepared is None:
            check_executor(self._config)
            feeds = list(feeds)
            prepared = _core.prepare(
                self._session,
                [t._key for t in feeds],
                [t._key for t in tensors],
                [op._id for op in targets],
                lambda i, value: feed_array(feeds[i], value),
                yield_,
            )
            devices.report_placement(self._session)
            self._prepared[signature] = prepared
        return prepared

    def _extend(self) -> None:
        """Before a step whose graph has changed: places new nodes, notes which ones the session has seen, warns of
        changes that come too late."""
        graph = self._graph
        growth.note_run(graph)
        check_extension(self._config, is_first=self._seen_generation == 0)
        try:
            self._session.extend()
        except errors_impl.OpError as e:
            raise self._explain(e) from None
        devices.report_placement(self._session)
        for op, what in graph._mutations:
            logger().warning(
                "Operation '%r' was changed by %s after it was run by a session. This mutation will have no effect, and will "
                "trigger an error in the future. Either don't modify nodes after running them or create a new session.",
                op,
                what,
            )
        graph._mutations.clear()
        graph._run_watermark = graph.version
        self._seen_generation = graph._generation

    def _reported(self, error: Exception, feed_dict: Any, options: Any) -> Exception:
        """What `run` raises for an error below it: node names turned into the user's lines, own frames left out."""
        if isinstance(error, (TypeError, AttributeError)) and feed_dict and not isinstance(feed_dict, Mapping):
            return TypeError("input must be a dictionary")
        if isinstance(error, TypeError) and str(error).startswith("Unsupported object type "):
            return errors_impl.InternalError(None, None, str(error))  # what a string tensor cannot hold
        if not isinstance(error, errors_impl.OpError) or error.op is not None:
            return without_own_frames(error)
        if error.error_code == errors_impl.RESOURCE_EXHAUSTED:
            from tinytf.client.oom_report import oom_report

            told = error.message + oom_report(self, options)
            return self._explain(errors_impl.ResourceExhaustedError(None, None, told), feed_dict or ())
        return self._explain(error, feed_dict or ())

    def _explain(self, error: errors_impl.OpError, fed: Any = None) -> errors_impl.OpError:
        """The error with node names turned into the user's lines; `fed` holds the keys of the feeds, if known."""
        return error_interpolation.make_op_error(self._graph, error.error_code, error.message, fed)

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
        if self._closed:
            raise RuntimeError(_CLOSED)
        try:
            return self._run_with_options(fetches, feed_dict, options, run_metadata, cancellation)
        except REPORTED as e:
            raise self._reported(e, feed_dict, options) from e.__cause__

    def make_callable(self, fetches: Any, feed_list: Any = None, accept_options: bool = False) -> Callable[..., Any]:
        """A function that runs `fetches`, prepared once.

        With `feed_list` it takes one value per entry, in order. With `accept_options` it also takes the keywords
        `options` and `run_metadata`. TypeError if `feed_list` is no list or tuple.
        """
        if feed_list is not None:
            if not isinstance(feed_list, (list, tuple)):
                raise TypeError("`feed_list` must be a list or tuple.")
            keys = list(feed_list)

            def run_with_feeds(*values: Any, **kwargs: Any) -> Any:
                try:
                    return self.run(fetches, dict(zip(keys, values)), **kwargs)
                except REPORTED as e:
                    raise without_own_frames(e) from e.__cause__

            return run_with_feeds
        try:
            call = self._call_without_feeds(fetches)
        except REPORTED as e:
            raise without_own_frames(e) from e.__cause__
        if not accept_options:
            return call

        def call_with_options(options: Any = None, run_metadata: Any = None) -> Any:
            if options is None and run_metadata is None:
                return call()
            try:
                return self.run(fetches, options=options, run_metadata=run_metadata)
            except REPORTED as e:
                raise without_own_frames(e) from e.__cause__

        return call_with_options

    def _call_without_feeds(self, fetches: Any) -> Callable[[], Any]:
        if self._seen_generation != self._graph._generation:
            self._extend()
        handler = FetchHandler(self._graph, fetches, (), self)
        if isinstance(fetches, Operation):
            return partial(_call, self, self._prepare((), (), (fetches,), "none"))
        if isinstance(fetches, Tensor) and not handler.has_special_leaves:
            return partial(_call, self, self._prepare((), (fetches,), (), "single"))
        return partial(_call_structured, self, self._prepare((), handler.tensors, handler.targets), handler)

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> str:
        """Starts a step whose feeds come and whose fetches are taken by several calls of `partial_run`.

        Args:
          fetches: everything that will be fetched, in any structure.
          feeds: the tensors that will be fed, in a list.

        Returns the handle for `partial_run`. RuntimeError if the session is closed or the graph empty, TypeError and
        ValueError for unsuitable fetches and feeds, InvalidArgumentError if there is nothing to fetch.
        """
        self._check_can_run()
        try:
            return self._partial_runs.set_up(self, fetches, feeds)
        except REPORTED as e:
            raise without_own_frames(e) from e.__cause__

    def partial_run(self, handle: str, fetches: Any, feed_dict: Any = None) -> Any:
        """Goes on with a step: gives some of its feeds, takes some of its fetches. Each can be used once.

        Returns the values of `fetches` in their structure. InvalidArgumentError for an unknown handle, for feeds and
        fetches that `partial_run_setup` did not name or that were used before, and for fetches that need other feeds;
        RuntimeError if operations are among the fetches.
        """
        self._check_can_run()
        try:
            return self._partial_runs.go_on(self, handle, fetches, feed_dict)
        except REPORTED as e:
            raise without_own_frames(e) from e.__cause__

    def _check_can_run(self) -> None:
        if self._closed:
            raise RuntimeError(_CLOSED)
        if self._graph.version == 0:
            raise RuntimeError(_EMPTY_GRAPH)
        if self._seen_generation != self._graph._generation:
            self._extend()

    def watch_nan(self, enabled: bool = True, infinities: bool = True) -> None:
        """Makes steps fail at the first node that yields a NaN, or an infinity if `infinities`; until disabled.

        The InvalidArgumentError names the node and its line, what it yielded, and the ranges of its inputs. Holds for
        all ways to run, callables made before too. Watched steps compute nothing in place; the graph does not change.
        """
        self._session.watch_nan((2 if infinities else 1) if enabled else 0)

    # -- Life --------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Frees what the session holds, variables too. Running steps are cancelled; returns when they have ended."""
        self._closed = True
        lifetime.ended(self)
        self._release()
        if self._step_threads is not None:
            self._step_threads.join()

    def _release(self) -> None:
        """Ends the core's part: runs fail from there on."""
        self._calls.clear()
        self._prepared.clear()
        self._partial_runs.clear()
        self._session.close()
        self._name.release()

    def __del__(self, _at_exit: Callable[[], bool] = sys.is_finalizing) -> None:
        # When the interpreter ends, modules may be gone already; what the session holds goes with the process.
        if not _at_exit() and hasattr(self, "_made_at"):
            self._drop()

    def _drop(self) -> None:
        """Ends a session that nobody can reach any more."""
        lifetime.ended(self)
        if not self._closed and not self._session.closed():
            try:
                self._warn_unclosed("was not closed")
            finally:
                self.close()

    def _warn_unclosed(self, what: str) -> None:
        """Python shows it where ResourceWarning is enabled, with the line that made the session."""
        site = self._made_at
        warnings.warn_explicit(
            f"{self!r} {what}; end a session with close() or a `with` block",
            ResourceWarning,
            site.filename or "<unknown>",
            site.lineno,
        )

    def as_default(self) -> AbstractContextManager[Any]:
        """A context manager that makes this the default session of the calling thread; does not close it."""
        return _default_sessions.entered(self)

    def __repr__(self) -> str:
        name = ("tf." if type(self).__module__.startswith("tinytf.") else "") + type(self).__name__
        if not hasattr(self, "_made_at"):
            return f"<{name} that could not be made>"
        state = "closed" if self._closed or self._session.closed() else "open"
        ops = self._graph.version
        return f"<{name} {state}, graph of {ops} operation{'' if ops == 1 else 's'}, made at {self._made_at}>"

    # -- Looking on --------------------------------------------------------------------------------------------------

    def trace(self, path: str | os.PathLike[str]) -> AbstractContextManager[None]:
        """A context manager that writes what the session's steps did in it to a file, for Perfetto or chrome://tracing.

        Every `run` is there, on any thread, with the nodes that it ran: op, shapes, times, and the line of the program
        that made them; functions of `make_callable` are not. The file appears complete at the end, also when the body
        raises. RuntimeError if the session is being traced already, FileNotFoundError if the directory is missing.
        """
        from tinytf.client import trace

        return trace.traced(self, path)

    def record(self, path: str | os.PathLike[str], steps: int | None = None) -> AbstractContextManager[None]:
        """A context manager that writes the session's steps in it, or the first `steps`, to a file for `tf.replay`.

        Every `run` is there, on any thread, with all that its values depend on: graph, feeds, variables, states of the
        random generators, what queues gave; functions of `make_callable` and partial runs are not. Digests of what each
        node yielded tell a replay where it differs. Recorded steps run one at a time, but for those that may wait for
        others. The file appears complete at the end, also when the body raises. RuntimeError if the session is being
        recorded already, FileNotFoundError if the directory is missing, ValueError if `steps` is less than 1.
        """
        from tinytf.client import record

        return record.recorded(self, path, steps)

    def stats(self) -> SessionStats:
        """What the session has done and prepared, and how it uses memory."""
        from tinytf.client import session_stats

        core = self._session
        return session_stats.SessionStats(
            core.steps(), core.feed_bytes_copied(), len(self._prepared), len(self._calls), self.memory_stats()
        )

    def memory_stats(self) -> MemoryStats:
        """The memory that the session's tensors use; also after `close()`, which gives back what no array holds."""
        from tinytf.client import session_stats

        return session_stats.memory_stats(self._session)

    def plan_report(self, fetches: Any, feed_list: Any = ()) -> PlanReport:
        """What a `run` of these fetches, fed these tensors, executes and how much memory it needs; nothing is run.

        TypeError and ValueError for unsuitable fetches and feeds, RuntimeError if the session is closed.
        """
        from tinytf.client.plan_report import plan_report

        self._check_can_run()
        feeds = [self._graph.as_graph_element(feed, allow_operation=False) for feed in feed_list]
        handler = FetchHandler(self._graph, fetches, feeds, self)
        prepared = self._prepare(feeds, handler.tensors, handler.targets)
        return plan_report(self._graph, prepared.describe(), feeds, handler.tensors)
