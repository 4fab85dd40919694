"""Implements `Session.make_callable` and `Session._make_callable_from_options`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tinytf._core import run_call
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import REPORTED, Leaving, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.session.endpoints import check_endpoints
from tinytf._src.session.engine import HasEngine
from tinytf._src.session.feed import feed_error
from tinytf._src.session.fetch import FetchHandler
from tinytf._src.session.raw_feed import raw_feeds
from tinytf._src.session.step_request import StepRequest
from tinytf._src.session.step_runner import StepRunner


# Bodies of callables without feeds. They take the session only to keep it alive, which the prepared call alone does
# not. Errors of the core are passed on unchanged.
def _call(session: HasEngine, steps: StepRunner, call: tuple[Any, Any], handler: FetchHandler) -> Any:
    if steps.tracer is None and steps.recorder is None:
        return run_call(call, ())
    prepared, build = call
    results = steps.call(prepared, {}, None, handler)
    return results if build is None else build(results)


def _call_nothing(session: HasEngine, prepared: Any) -> None:
    prepared.call(())  # raises if the session is closed
    check_endpoints((), (), ())


def without_feeds(session: HasEngine, steps: StepRunner, fetches: Any) -> Callable[[], Any]:
    """Returns a function that runs `fetches`. The session's engine must already know all nodes of the graph."""
    handler = FetchHandler(steps.graph, fetches, (), session)
    if not handler.tensors and not handler.targets:
        return partial(_call_nothing, session, steps.prepare((), (), ()))
    is_plain = handler.returns_values and not handler.has_special_leaves
    yield_ = handler.yield_ if is_plain else "list"
    prepared = steps.prepare((), handler.tensors, handler.targets, yield_)
    return partial(_call, session, steps, (prepared, None if is_plain else handler.build_results), handler)


def with_feeds(run: Callable[..., Any], steps: StepRunner, fetches: Any, feed_list: Any) -> Callable[..., Any]:
    """Returns a function that runs `fetches` and takes one value for each entry of `feed_list`. TypeError if that is
    not a list or tuple. `run`: the session's method, which keeps the session alive."""
    if not isinstance(feed_list, (list, tuple)):
        raise TypeError("`feed_list` must be a list or tuple.")
    keys = list(feed_list)

    key = None  # cache key of the call, as `run` uses it; None: not cacheable
    if all(isinstance(k, (Tensor, str)) for k in keys) and len({*keys}) == len(keys):
        key, _ = steps.find_call(fetches, dict.fromkeys(keys))

    def run_with_feeds(*values: Any, **kwargs: Any) -> Any:
        if key is not None and not kwargs and len(values) == len(keys):
            call = steps.remembered_call(key)
            if call is not None:
                try:
                    return run_call(call, values)
                except REPORTED as e:
                    with Leaving():
                        raise steps.reported(e, dict(zip(keys, values)), None) from e.__cause__
        try:
            return run(fetches, dict(zip(keys, values)), **kwargs)
        except REPORTED:
            leave_to_user()
            raise

    return run_with_feeds


def with_options(
    run: Callable[..., Any], steps: StepRunner, fetches: Any, call: Callable[[], Any]
) -> Callable[..., Any]:
    """Returns `call`, which runs `fetches`, extended by the keywords `options` and `run_metadata`. `run`: the session's
    method."""

    def call_with_options(options: Any = None, run_metadata: Any = None) -> Any:
        if steps.closed or (options is None and run_metadata is None):
            return call()  # on a closed session the core raises, as without options
        try:
            return run(fetches, options=options, run_metadata=run_metadata)
        except REPORTED:
            leave_to_user()
            raise

    return call_with_options


def from_options(session: HasEngine, steps: StepRunner, callable_options: Any) -> Callable[..., list[Any]]:
    """Implements `Session._make_callable_from_options`. The engine must already know all nodes of the graph. The
    returned function keeps the session alive."""
    graph = steps.graph
    feeds = [graph.get_tensor_by_name(_tensor_name(name)) for name in callable_options.feed]
    tensors = [graph.get_tensor_by_name(_tensor_name(name)) for name in callable_options.fetch]
    targets = [graph.get_operation_by_name(name) for name in callable_options.target]
    check_endpoints(feeds, tensors, targets)
    handler = FetchHandler(graph, [*tensors, *targets])
    prepared = steps.prepare(feeds, tensors, targets, feed_converter=raw_feeds)
    options = callable_options.run_options if callable_options.HasField("run_options") else None

    def call(session: HasEngine, *values: Any, run_metadata: Any = None) -> list[Any]:
        if len(values) != len(feeds):
            text = f"Expected {len(feeds)} feed tensors, but got {len(values)}"
            raise errors_impl.InvalidArgumentError(None, None, text)
        request = None
        if options is not None or run_metadata is not None:
            request = StepRequest(options, run_metadata, False)
            request.signature = (feeds, tensors, targets)
        try:
            if request is None and steps.tracer is None and steps.recorder is None:
                return prepared.call(values)
            results = steps.call(prepared, dict(zip(feeds, values)), request, handler)
        except TypeError as e:
            raise feed_error(e) from None
        if request is not None:
            request.fill(run_metadata, graph, steps.known_placements)
        return results

    return partial(call, session)


def _tensor_name(name: str) -> str:
    return name if ":" in name else f"{name}:0"
