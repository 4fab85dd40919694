"""Turns fetches and feeds into steps of the engine, and the engine's errors into the user's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from tinytf._core import run_call
from tinytf._src.debug import growth
from tinytf._src.framework.errors import error_interpolation, errors_impl
from tinytf._src.framework.errors.error_traceback import without_own_frames
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.logs.log import logger
from tinytf._src.profiler import devices
from tinytf._src.session.config import check_executor, check_extension
from tinytf._src.session.engine import Engine, HasEngine
from tinytf._src.session.feed import are_plain, expand_feeds, feed_array, feed_error
from tinytf._src.session.fetch import FetchHandler, structure_key
from tinytf._src.session.step_cache import StepCache
from tinytf._src.session.step_request import StepRequest

if TYPE_CHECKING:
    from tinytf._src.debug.record import StepRecorder
    from tinytf._src.profiler.trace import StepTracer

EMPTY_GRAPH = "The Session graph is empty.  Add operations to the graph before calling run()."
CLOSED = "Attempted to use a closed Session."


def _planning_arguments(request: StepRequest | None) -> dict[str, Any]:
    """Returns the step's options that also apply to the making of its plan."""
    if request is None:
        return {}
    given = request.core_arguments
    return {"timeout_ms": given.get("timeout_ms", 0), "cancellation": given.get("cancellation")}


def fed_values(feed_dict: Any) -> tuple[Any, ...]:
    """Returns the values that a prepared call takes, in the order of the keys in its cache key."""
    return tuple(feed_dict.values()) if feed_dict else ()


def _feed_arrays(feeds: list[Tensor]) -> Callable[[int, Any], Any]:
    return lambda i, value: feed_array(feeds[i], value)


class StepRunner:
    """Prepares and runs the steps of a session. Thread-safe.

    It holds no reference to the session, which owns it; callers that may fetch session handles pass the session.
    """

    def __init__(self, graph: Graph, config: Any, engine: Engine) -> None:
        self.graph = graph
        self.config = config  # a ConfigProto or None
        self.engine = engine
        self.closed = False  # if true, no step begins
        self.lost = ""  # the error text of steps after the session's server lost it
        self.seen_generation = 0  # graph generation at the last step; -1 if closed, which never matches
        self.counts_costs = config is not None and config.graph_options.build_cost_model > 0
        self.cache = StepCache(recognises=not self.counts_costs)
        self.known_placements = devices.KnownPlacements(engine)
        self.tracer: StepTracer | None = None
        self.recorder: StepRecorder | None = None

    def close(self) -> None:
        """Makes new steps fail."""
        self.closed = True
        self.seen_generation = -1

    def check_can_run(self) -> None:
        """Brings the engine up to date with the graph. RuntimeError if the session is closed or the graph is empty,
        AbortedError if a server lost the session."""
        if self.closed:
            raise RuntimeError(CLOSED)
        if self.lost:
            raise errors_impl.AbortedError(None, None, self.lost)
        if self.graph.version == 0:
            raise RuntimeError(EMPTY_GRAPH)
        self.extend_if_grown()

    def extend_if_grown(self) -> None:
        """Calls `extend` if the graph has changed since the last step. Calls prepared for a closed session fail when
        run."""
        if self.seen_generation != self.graph._generation and not self.closed:
            self.extend()

    def extend(self) -> None:
        """Brings the engine up to date with the graph: places new nodes, marks them as seen, and warns of changes to
        nodes that ran already. RuntimeError if the session is closed."""
        if self.closed:
            raise RuntimeError(CLOSED)
        graph = self.graph
        generation = graph._generation  # read first: nodes that other threads add meanwhile come with the next step
        growth.note_run(graph)
        check_extension(self.config, is_first=self.seen_generation == 0)
        try:
            self.engine.extend()
        except errors_impl.OpError as e:
            raise self.explain(e) from None
        self.known_placements.changed()
        devices.report_placement(self.engine)
        for op, what in graph._mutations:
            logger().warning(
                "Operation '%r' was changed by %s after it was run by a session. This mutation will have no effect, and will "
                "trigger an error in the future. Either don't modify nodes after running them or create a new session.",
                op,
                what,
            )
        graph._mutations.clear()
        graph._run_watermark = graph.version
        self.seen_generation = generation
        if self.closed:  # closed by another thread meanwhile
            self.seen_generation = -1

    def find_call(self, fetches: Any, feed_dict: Any, watched: tuple[Tensor, ...] = ()) -> tuple[Any, Any]:
        """Returns the cache key of a call, None if it cannot be cached, and the cached call or None. Finds also calls
        that `run_cached` misses because fetches are nested. `watched`: further fetches, for a gate."""
        if feed_dict is not None and not isinstance(feed_dict, Mapping):
            return None, None  # `run_uncached` reports the error
        key = (*watched, type(fetches), structure_key(fetches), *(feed_dict or ()))
        try:
            return key, self.cache.calls.get(key)
        except TypeError:
            return None, None

    def remembered_call(self, key: Any) -> Any:
        """Returns the cached call under `key`, or None if there is none or `run` must take its slow path."""
        if self.closed or self.counts_costs or self.seen_generation != self.graph._generation:
            return None
        return self.cache.calls.get(key)

    def resolve(
        self, session: HasEngine, fetches: Any, feed_dict: Any
    ) -> tuple[list[tuple[Tensor, Any]], FetchHandler, bool]:
        """Returns the fed tensors with their values, the fetches, and whether a prepared call may take the values
        unchanged and return the values of the fetches."""
        pairs = expand_feeds(self.graph, feed_dict) if feed_dict else []
        feeds = [tensor for tensor, _ in pairs]
        handler = FetchHandler(self.graph, fetches, feeds, session)
        plain = bool(handler.tensors or handler.targets) and not handler.has_special_leaves
        # of a tensor that is fed twice the last value counts
        return pairs, handler, plain and len(feeds) == len(set(feeds)) and all(map(self.graph.is_feedable, feeds))

    def run_unfound(self, session: HasEngine, fetches: Any, feed_dict: Any) -> Any:
        """Runs a step that `run_cached` did not find."""
        if self.counts_costs:
            return self.run_with_options(session, fetches, feed_dict, None, None)
        key, call = self.find_call(fetches, feed_dict)
        if call is None:
            return self.run_uncached(session, fetches, feed_dict, key, None)
        return run_call(call, fed_values(feed_dict))

    def run_uncached(
        self, session: HasEngine, fetches: Any, feed_dict: Any, key: Any, request: StepRequest | None
    ) -> Any:
        """Resolves fetches and feeds, runs, and caches the resolved call under `key` where possible."""
        if self.graph.version == 0:
            raise RuntimeError(EMPTY_GRAPH)
        pairs, handler, plain = self.resolve(session, fetches, feed_dict)
        if not plain:
            fed = {tensor: feed_array(tensor, value) for tensor, value in pairs}
            results = []
            if handler.tensors or handler.targets:
                prepared = self.prepare(fed, handler.tensors, handler.targets, "list", request)
                results = self.call(prepared, fed, request, handler)
            return handler.build_results(results, fed)
        fed = dict(pairs)
        prepared = self.prepare(fed, handler.tensors, handler.targets, handler.yield_, request)
        build = None if handler.returns_values else handler.build_results
        if key is not None and are_plain(feed_dict or ()):
            self.cache.remember_call(key, (prepared, build))
        results = self.call(prepared, fed, request, handler)
        return results if build is None else build(results)

    def run_with_options(
        self,
        session: HasEngine,
        fetches: Any,
        feed_dict: Any,
        options: Any,
        run_metadata: Any,
        cancellation: Any = None,
    ) -> Any:
        """Runs a step under a `RunOptions` message or None, and fills a `RunMetadata` message. The step ends when
        `cancellation`, a `_core.Cancellation`, is cancelled."""
        if self.closed:
            raise RuntimeError(CLOSED)
        request = StepRequest(options, run_metadata, self.counts_costs)
        request.core_arguments["cancellation"] = cancellation
        if self.seen_generation != self.graph._generation:
            self.extend()
        key, call = (None, None) if request.needs_signature else self.find_call(fetches, feed_dict)
        if call is None:
            results = self.run_uncached(session, fetches, feed_dict, key, request)
        else:
            prepared, build = call
            results, request.nodes = prepared.call_with(fed_values(feed_dict), **request.core_arguments)
            if build is not None:
                results = build(results)
        request.fill(run_metadata, self.graph, self.known_placements)
        return results

    def call(self, prepared: Any, fed: dict[Tensor, Any], request: StepRequest | None, handler: FetchHandler) -> Any:
        """Runs a prepared call, through the tracer and recorder if there are any."""
        values = list(fed.values())
        tracer, recorder = self.tracer, self.recorder  # read once: another thread may end their blocks
        if request is None and tracer is None and recorder is None:
            return prepared.call(values)
        arguments = request.core_arguments if request is not None else {}
        if recorder is not None:
            prepared = recorder.recording(prepared, fed, handler.tensors, handler.targets)
        if tracer is None:
            results, nodes = prepared.call_with(values, **arguments)
        else:
            step = partial(prepared.call_with, values, **{**arguments, "traced": True})
            results, nodes = tracer.run(step, [*handler.tensors, *handler.targets])
        if request is not None:
            request.nodes = nodes
        return results

    def prepare(
        self,
        feeds: Any,
        tensors: Any,
        targets: Any,
        yield_: str = "list",
        request: StepRequest | None = None,
        feed_converter: Callable[[list[Tensor]], Callable[[int, Any], Any]] = _feed_arrays,
    ) -> Any:
        """Returns a prepared call of the engine for these feeds and fetches, from the cache if possible. `feed_converter`
        makes the function (feed index, value) → array that converts values the engine does not take directly."""
        signature = (tuple(feeds), tuple(tensors), tuple(targets), yield_, feed_converter)
        if request is not None:
            request.signature = signature[:3]
            if self.counts_costs:
                from tinytf._src.profiler.cost_graph import is_cost_model_due

                request.count_costs(is_cost_model_due(self.config, self.cache.counts.get(signature, 0)))
        prepared = self.cache.prepared.get(signature)
        if prepared is None:
            check_executor(self.config)
            feeds = list(feeds)
            prepared = self.engine.prepare(
                feeds, tensors, targets, feed_converter(feeds), yield_, **_planning_arguments(request)
            )
            self.known_placements.changed()
            devices.report_placement(self.engine)
            self.cache.remember_prepared(signature, prepared)
        if request is not None and self.counts_costs:  # counted only if preparation succeeded
            self.cache.counts[signature] = self.cache.counts.get(signature, 0) + 1
        return prepared

    def reported(self, error: Exception, feed_dict: Any, options: Any) -> Exception:
        """Returns the exception that `run` raises for `error`: with creation lines for node names, without tinytf's
        frames."""
        if isinstance(error, (TypeError, AttributeError)) and feed_dict and not isinstance(feed_dict, Mapping):
            return TypeError("input must be a dictionary")
        if isinstance(error, TypeError):
            unsupported = feed_error(error)
            return unsupported if unsupported is not error else without_own_frames(error)
        if not isinstance(error, errors_impl.OpError) or error.op is not None:
            return without_own_frames(error)
        if error.error_code == errors_impl.RESOURCE_EXHAUSTED and self.engine.local is not None:
            from tinytf._src.debug.oom_report import oom_report

            told = error.message + oom_report(self.graph, self.engine.local, options)
            return self.explain(errors_impl.ResourceExhaustedError(None, None, told), feed_dict or ())
        return self.explain(error, feed_dict or ())

    def explain(self, error: errors_impl.OpError, fed: Any = None) -> errors_impl.OpError:
        """Returns the error with creation lines for node names; `fed` holds the keys of the feeds, if known."""
        return error_interpolation.make_op_error(self.graph, error.error_code, error.message, fed)
