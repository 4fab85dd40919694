"""Steps of a session that also fetch the tensors that a gate inspects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tinytf import _core
from tinytf._src.framework.errors.error_traceback import REPORTED, Leaving
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.session.engine import HasEngine
from tinytf._src.session.feed import are_plain
from tinytf._src.session.step_runner import StepRunner

_MOST_FORMS = 100  # call forms; each keeps a plan alive


class GatedSteps:
    """Runs steps that additionally fetch `watched`, as their last fetches, for a gate only. Of one session;
    thread-safe."""

    def __init__(
        self, session: HasEngine, steps: StepRunner, watched: Sequence[Tensor], can_watch: Callable[[Any], bool]
    ) -> None:
        """The session's engine must be of this process.

        `can_watch` returns whether steps with a given feed dict can fetch `watched`; called once for each set of
        feeds.
        """
        self._session = session
        self._steps = steps
        self._watched = list(watched)
        self._can_watch = can_watch
        self._watchable: dict[Any, bool] = {}  # by the keys of the feed dict
        # like the session's cache: form → (prepared call, results → structure, or None)
        self._calls: dict[Any, Any] = {}
        self._recognised: Any = None  # the session's call cache; tracing and recording replace it

    def run(self, fetches: Any, feed_dict: Any, gate: Any, must_run: bool) -> Any:
        """Runs a step as `Session.run` does, under the control of `gate`.

        Returns what `Session.run` returns, wrapped in a `DueStep` if the gate does not pass the step. Returns the gate
        itself, and runs nothing, if it is shut and `must_run` is false, or if steps of this form cannot be gated.
        Raises what `run` does.
        """
        steps = self._steps
        if steps.seen_generation != steps.graph._generation:
            return gate
        recognised = steps.cache.calls
        if recognised is not self._recognised:
            if recognised.__class__ is not dict:  # steps are traced, recorded or counted: `Session.run` does that
                return gate
            self._calls, self._recognised = {}, recognised
        try:
            call = self._calls.get(
                (fetches.__class__, fetches if fetches.__class__ is not list else tuple(fetches), *(feed_dict or ()))
            )
        except TypeError:
            call = None
        try:
            if call is None and (call := self._find_call(fetches, feed_dict)) is None:
                return gate
            prepared, build = call
            result = prepared.call_gated(tuple(feed_dict.values()) if feed_dict else (), gate, must_run)
        except REPORTED as e:
            with Leaving():
                raise steps.reported(e, feed_dict, None) from e.__cause__
        if build is None or result is gate:
            return result
        if result.__class__ is _core.DueStep:
            result.results = build(result.results)
            return result
        return build(result)

    def can_watch(self, feed_dict: Any) -> bool:
        """Returns whether a step with these feeds can fetch the watched tensors."""
        if feed_dict is not None and not isinstance(feed_dict, Mapping):
            return False
        key = tuple(feed_dict or ())
        try:
            return self._watchable[key]
        except KeyError:
            pass
        if len(self._watchable) > _MOST_FORMS:
            self._watchable.clear()
        can = self._watchable[key] = self._can_watch(feed_dict)
        return can

    def _find_call(self, fetches: Any, feed_dict: Any) -> Any:
        """Returns the call of a form that is new or unhashable as it stands. None if it cannot be cached or is invalid;
        then `Session.run` reports the error."""
        key, _ = self._steps.find_call(fetches, feed_dict)
        if key is None:
            return None
        call = self._calls.get(key)
        if call is None and len(self._calls) < _MOST_FORMS:
            call = self._made_call(fetches, feed_dict)
            if call is not None:
                self._calls[key] = call
        return call

    def _made_call(self, fetches: Any, feed_dict: Any) -> Any:
        if not are_plain(feed_dict or ()):
            return None
        steps = self._steps
        pairs, handler, plain = steps.resolve(self._session, fetches, feed_dict)
        feeds = [tensor for tensor, _ in pairs]
        if not plain or not self.can_watch(feed_dict) or set(feeds) & {*self._watched, *handler.tensors}:
            return None
        prepared = steps.prepare(feeds, [*handler.tensors, *self._watched], handler.targets, handler.yield_)
        return prepared, None if handler.returns_values else handler.build_results
