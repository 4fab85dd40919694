"""Functions that a session prepares once: `Session.make_callable` without feeds, and from `CallableOptions`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from tinytf.client.endpoints import check_endpoints
from tinytf.client.feed import feed_error
from tinytf.client.fetch import FetchHandler
from tinytf.client.raw_feed import raw_feeds
from tinytf.client.step_request import StepRequest
from tinytf.framework import errors_impl
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor

if TYPE_CHECKING:
    from tinytf.client.session_steps import SessionSteps


# What callables are made of: they keep the session, as the prepared call alone does not; errors are the core's own. `call` is
# the prepared call's method, which would cost time to look up.
def _call(session: SessionSteps, call: Callable[[Any], Any], prepared: Any, handler: FetchHandler) -> Any:
    if session._tracer is None and session._recorder is None:
        return call(())
    return session._call(prepared, {}, None, handler)


def _call_structured(session: SessionSteps, call: Callable[[Any], Any], prepared: Any, handler: FetchHandler) -> Any:
    if session._tracer is None and session._recorder is None:
        return handler.build_results(call(()), {})
    return handler.build_results(session._call(prepared, {}, None, handler), {})


def _call_nothing(session: SessionSteps, prepared: Any) -> None:
    prepared.call(())  # tells if the session is closed
    check_endpoints((), (), ())


def without_feeds(session: SessionSteps, fetches: Any) -> Callable[[], Any]:
    """A function that runs `fetches`. The session knows the nodes of the graph."""
    handler = FetchHandler(session.graph, fetches, (), session)
    if not handler.tensors and not handler.targets:
        return partial(_call_nothing, session, session._prepare((), (), ()))
    if isinstance(fetches, Operation):
        call, yield_ = _call, "none"
    elif isinstance(fetches, Tensor) and not handler.has_special_leaves:
        call, yield_ = _call, "single"
    else:
        call, yield_ = _call_structured, "list"
    prepared = session._prepare((), handler.tensors, handler.targets, yield_)
    return partial(call, session, prepared.call, prepared, handler)


def from_options(session: SessionSteps, callable_options: Any) -> Callable[..., list[Any]]:
    """See `Session._make_callable_from_options`. The session knows the nodes of the graph."""
    graph = session.graph
    feeds = [graph.get_tensor_by_name(_tensor_name(name)) for name in callable_options.feed]
    tensors = [graph.get_tensor_by_name(_tensor_name(name)) for name in callable_options.fetch]
    targets = [graph.get_operation_by_name(name) for name in callable_options.target]
    check_endpoints(feeds, tensors, targets)
    handler = FetchHandler(graph, [*tensors, *targets])
    prepared = session._prepare(feeds, tensors, targets, feed_converter=raw_feeds)
    options = callable_options.run_options if callable_options.HasField("run_options") else None

    def call(*values: Any, run_metadata: Any = None) -> list[Any]:
        if len(values) != len(feeds):
            text = f"Expected {len(feeds)} feed tensors, but got {len(values)}"
            raise errors_impl.InvalidArgumentError(None, None, text)
        request = None
        if options is not None or run_metadata is not None:
            request = StepRequest(options, run_metadata, False)
            request.signature = (feeds, tensors, targets)
        try:
            if request is None and session._tracer is None and session._recorder is None:
                return prepared.call(values)
            results = session._call(prepared, dict(zip(feeds, values)), request, handler)
        except TypeError as e:
            raise feed_error(e) from None
        if request is not None:
            request.fill(run_metadata, graph, session._known_placements)
        return results

    return call


def _tensor_name(name: str) -> str:
    return name if ":" in name else f"{name}:0"
