"""Steps of a session that also fetch the tensors that a gate inspects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tinytf._core import run_cached, run_call
from tinytf._src.framework.errors.error_traceback import REPORTED, Leaving
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.session.engine import HasEngine
from tinytf._src.session.feed import are_plain
from tinytf._src.session.step_runner import StepRunner, fed_values

_MOST_FORMS = 100  # sets of feeds


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
        self._watched = tuple(watched)
        self._can_watch = can_watch
        self._watchable: dict[Any, bool] = {}  # by the keys of the feed dict

    def run(self, fetches: Any, feed_dict: Any, gate: Any) -> Any:
        """Runs a step as `Session.run` does, unless `gate` (a `_core.StepGate`) is shut.

        Returns what `Session.run` returns, wrapped in a `DueStep` if the gate does not pass the step. Returns
        NotImplemented, and runs nothing, if the gate is shut, or if steps of this form cannot be gated. Raises what
        `run` does.
        """
        steps = self._steps
        if steps.seen_generation != steps.graph._generation:
            return NotImplemented
        try:
            results = run_cached(steps.cache.calls, fetches, feed_dict, gate, self._watched)
            if results is NotImplemented and gate.is_open():
                call = self._call_for(fetches, feed_dict)
                return NotImplemented if call is None else run_call(call, fed_values(feed_dict), gate)
            return results
        except REPORTED as e:
            with Leaving():
                raise steps.reported(e, feed_dict, None) from e.__cause__

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

    def _call_for(self, fetches: Any, feed_dict: Any) -> Any:
        """Returns the call of a form that is new or unhashable as it stands. None if it cannot be cached or is invalid,
        or if steps are traced, recorded or counted; then `Session.run` runs it or reports the error."""
        cache = self._steps.cache
        if not cache.recognises_calls():
            return None
        key, call = self._steps.find_call(fetches, feed_dict, self._watched)
        if key is not None and call is None:
            call = self._new_call(fetches, feed_dict)
            if call is not None:
                cache.remember_call(key, call)
        return call

    def _new_call(self, fetches: Any, feed_dict: Any) -> Any:
        if not are_plain(feed_dict or ()):
            return None
        steps = self._steps
        pairs, handler, plain = steps.resolve(self._session, fetches, feed_dict)
        feeds = [tensor for tensor, _ in pairs]
        if not plain or not self.can_watch(feed_dict) or set(feeds) & {*self._watched, *handler.tensors}:
            return None
        prepared = steps.prepare(feeds, [*handler.tensors, *self._watched], handler.targets, handler.yield_)
        return prepared, None if handler.returns_values else handler.build_results
