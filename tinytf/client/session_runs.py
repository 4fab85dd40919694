"""The ways to run a session's graph: at once, awaited, prepared, bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tinytf import _core
from tinytf.client import callables
from tinytf.client.partial_run import PartialRuns
from tinytf.client.session_steps import CLOSED, SessionSteps
from tinytf.client.step_request import StepRequest
from tinytf.framework.error_traceback import REPORTED, Leaving, leave_to_user
from tinytf.framework.tensor import Tensor

if TYPE_CHECKING:
    from tinytf.client.step_threads import StepThreads


class SessionRuns(SessionSteps):
    """The part of a session that programs run steps by. Thread-safe."""

    _step_threads: StepThreads | None = None  # the object gets its own with the first run_async

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self._partial_runs = PartialRuns()

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
        try:
            if self._closed:
                raise RuntimeError(CLOSED)
            if options is not None or run_metadata is not None or self._counts_costs:
                return self._run_with_options(fetches, feed_dict, options, run_metadata)
            if self._seen_generation != self._graph._generation:
                self._extend()
            try:
                call = self._calls.get(
                    (
                        fetches.__class__,
                        fetches if fetches.__class__ is not list else tuple(fetches),
                        *(feed_dict or ()),
                    )
                )
            except TypeError:  # an unhashable structure, or a feed_dict that is none
                call = None
            if call is None:
                key, call = self._find_call(fetches, feed_dict)
                if call is None:
                    return self._run_uncached(fetches, feed_dict, key, None)
            prepared, build = call
            return build(prepared.call(tuple(feed_dict.values()) if feed_dict else ()))
        except REPORTED as e:
            with Leaving():
                raise self._reported(e, feed_dict, options) from e.__cause__

    def _run_with_options(
        self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any, cancellation: Any = None
    ) -> Any:
        request = StepRequest(options, run_metadata, self._counts_costs)
        request.core_arguments["cancellation"] = cancellation
        if self._seen_generation != self._graph._generation:
            self._extend()
        key, call = (None, None) if request.needs_signature else self._find_call(fetches, feed_dict)
        if call is None:
            results = self._run_uncached(fetches, feed_dict, key, request)
        else:
            prepared, build = call
            values = tuple(feed_dict.values()) if feed_dict else ()
            results, request.nodes = prepared.call_with(values, **request.core_arguments)
            results = build(results)
        request.fill(run_metadata, self._graph, self._known_placements)
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
        if self._closed:
            raise RuntimeError(CLOSED)
        try:
            return self._run_with_options(fetches, feed_dict, options, run_metadata, cancellation)
        except REPORTED as e:
            raise self._reported(e, feed_dict, options) from e.__cause__

    def _remembered(self, key: Any) -> Any:
        """The call under `key`, if a step may begin with it at once."""
        if self._closed or self._counts_costs or self._seen_generation != self._graph._generation:
            return None
        return self._calls.get(key)

    def make_callable(self, fetches: Any, feed_list: Any = None, accept_options: bool = False) -> Callable[..., Any]:
        """A function that runs `fetches`, prepared once.

        With `feed_list` it takes one value per entry, in order. With `accept_options` it also takes the keywords
        `options` and `run_metadata`. TypeError if `feed_list` is no list or tuple.
        """
        if feed_list is not None:
            if not isinstance(feed_list, (list, tuple)):
                raise TypeError("`feed_list` must be a list or tuple.")
            keys = list(feed_list)

            key = None  # of the call, as `run` remembers it
            if all(isinstance(k, (Tensor, str)) for k in keys) and len({*keys}) == len(keys):
                key, _ = self._find_call(fetches, dict.fromkeys(keys))

            def run_with_feeds(*values: Any, **kwargs: Any) -> Any:
                if key is not None and not kwargs and len(values) == len(keys):
                    call = self._remembered(key)
                    if call is not None:
                        prepared, build = call
                        try:
                            return build(prepared.call(values))
                        except REPORTED as e:
                            with Leaving():
                                raise self._reported(e, dict(zip(keys, values)), None) from e.__cause__
                try:
                    return self.run(fetches, dict(zip(keys, values)), **kwargs)
                except REPORTED:
                    leave_to_user()
                    raise

            return run_with_feeds
        try:
            if self._seen_generation != self._graph._generation:
                self._extend()
            call = callables.without_feeds(self, fetches)
        except REPORTED:
            leave_to_user()
            raise
        if not accept_options:
            return call

        def call_with_options(options: Any = None, run_metadata: Any = None) -> Any:
            if self._closed or (options is None and run_metadata is None):
                return call()  # the core tells that the session is closed, as without options
            try:
                return self.run(fetches, options=options, run_metadata=run_metadata)
            except REPORTED:
                leave_to_user()
                raise

        return call_with_options

    def _make_callable_from_options(self, callable_options: Any) -> Callable[..., list[Any]]:
        """A function that takes the values of `CallableOptions.feed` in order and returns those of `fetch` in a list.

        It also takes the keyword `run_metadata`. Names without an index mean output 0. NumPy values must have the types of
        their tensors. Errors are the runtime's own: InvalidArgumentError for values of other types or numbers, and if nothing
        is asked for, or a tensor both fed and fetched; InternalError for arrays of types that tensors do not have. KeyError
        and ValueError for names that the graph lacks.
        """
        if self._seen_generation != self._graph._generation:
            self._extend()
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
        self._check_can_run()
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
        self._check_can_run()
        try:
            return self._partial_runs.go_on(self, handle, fetches, feed_dict)
        except REPORTED:
            leave_to_user()
            raise
