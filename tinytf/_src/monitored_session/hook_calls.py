"""The calls of hooks around steps."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from tinytf._src.monitored_session.session_report import Times
from tinytf._src.monitored_session.stop_state import StopState
from tinytf._src.training.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunValues


class HookContext(SessionRunContext):
    """Builds the program's `SessionRunArgs` only if a hook asks for them."""

    def __init__(self, fetches: Any, feed_dict: Any, session: Any) -> None:
        super().__init__(None, session)
        self._asked = fetches, feed_dict

    @property
    def original_args(self) -> Any:
        """The program's `SessionRunArgs`, without the hooks' requests."""
        if self._original_args is None:
            self._original_args = SessionRunArgs(*self._asked)
        return self._original_args


class HookCalls:
    """Calls hooks, given by their numbers, before and after steps. Adds up the time that they take in `times`; notes a
    stop that they request in `stop`."""

    def __init__(self, hooks: Sequence[Any], stop: StopState, times: Times) -> None:
        self._hooks = hooks
        self._stop = stop
        self._times = times

    def before(self, numbers: Sequence[int], context: HookContext) -> list[Any]:
        """Calls `before_run` of the hooks; returns their requests."""
        requests = []
        seconds, calls = self._times.seconds, self._times.calls
        before = perf_counter()
        for n in numbers:
            requests.append(self._hooks[n].before_run(context))
            now = perf_counter()
            seconds[n] += now - before
            calls[n] += 1
            before = now
        return requests

    def after(self, numbers: Sequence[int], context: HookContext, values: Sequence[SessionRunValues]) -> None:
        """Calls `after_run` of the hooks with the values of their requests."""
        seconds = self._times.seconds
        before = perf_counter()
        for n, value in zip(numbers, values):
            self._hooks[n].after_run(context, value)
            if context._stop_requested:
                self._stop.note(f"{type(self._hooks[n]).__name__} requested the stop")
            now = perf_counter()
            seconds[n] += now - before
            before = now
        if context._stop_requested:
            self._stop.requested = True
