"""A session that calls hooks around its steps."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

from tinytf import _core
from tinytf._src import protos
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.monitored_session.hook_calls import HookCalls, HookContext
from tinytf._src.monitored_session.idling import IdleHooks, fall_asleep
from tinytf._src.monitored_session.run_options import merged_options
from tinytf._src.monitored_session.session_interface import SessionInterface
from tinytf._src.monitored_session.session_report import Times
from tinytf._src.monitored_session.step_fetches import StepFetches, joined_with_user
from tinytf._src.monitored_session.stop_state import StopState
from tinytf._src.monitored_session.unfed import UnfedInputs
from tinytf._src.monitored_session.waiting_hooks import WaitingHooks
from tinytf._src.session.gated_steps import GatedSteps
from tinytf._src.training.session_run_hook import SessionRunValues

_STOPPED = "Run called even after should_stop requested."


def _run_alone(sess: Any, stop: StopState) -> Any:
    """Returns the `run` method of a session without hooks; it holds no reference to the HookedSession."""

    def run(fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        if stop.error is not None:
            raise stop.error
        return sess.run(fetches, feed_dict, options, run_metadata)

    return run


class HookedSession(SessionInterface):
    """Calls hooks around each step, and runs the fetches and feeds of the program and the hooks as one step."""

    def __init__(self, sess: Any, hooks: Sequence[Any], stop: StopState, times: Times) -> None:
        self._sess = sess
        self._hooks = hooks
        self._numbers = range(len(hooks))
        self._stop = stop
        self._calls = HookCalls(hooks, stop, times)
        self._kept: StepFetches | None = None  # of the last step
        self._unfed = UnfedInputs(sess.graph)
        self._waiting = WaitingHooks(self._unfed)
        self._nothing: tuple[Any, Any] | None = None  # the options and metadata of hooks if none are requested
        self._idle: IdleHooks | None = None  # set while hooks idle
        self._changing = threading.RLock()  # guards changes of `_idle` by several threads
        self._gated: dict[Any, GatedSteps] = {}  # by the tensors that are watched in addition
        if not hooks:  # only signals can request a stop
            self.run = _run_alone(sess, stop) if stop.by_signals else sess.run  # type: ignore[method-assign]

    @property
    def graph(self) -> Graph:
        """The session's graph."""
        return self._sess.graph

    def raw_session(self) -> Any:
        """Returns the wrapped session."""
        return self._sess

    def should_stop(self) -> bool:
        """Returns whether a stop was requested."""
        return self._stop.requested

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Runs a step with all hooks. RuntimeError after a hook has requested a stop, or if the same key is fed
        twice."""
        idle = self._idle
        if idle is None or options is not None or run_metadata is not None or self._stop.requested:
            return self._run_awake(fetches, feed_dict, options, run_metadata)
        gate = idle.gate
        # None: woken by another thread or session.
        if gate is None or time.time is not idle.wall_clock or time.monotonic is not idle.steady_clock:
            return self._run_awake(fetches, feed_dict, None, None)
        if idle.called:
            if not gate.is_open() or not idle.steps.can_watch(feed_dict):
                return self._run_awake(fetches, feed_dict, None, None)
            return self._run(idle.called_numbers, fetches, feed_dict, None, None, idle)
        result = idle.steps.run(fetches, feed_dict, gate)
        if result is NotImplemented:
            return self._run_awake(fetches, feed_dict, None, None)
        if result.__class__ is not _core.DueStep:
            return result
        self._tell_due(idle, HookContext(fetches, feed_dict, self._sess), result.values, {})
        return result.results

    def run_with(self, hooks: Any, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        """Runs a step with the given hooks; `False`: without hooks, and without regard to a requested stop."""
        if not hooks:
            if self._stop.error is not None:
                raise self._stop.error
            return self._sess.run(fetches, feed_dict, options, run_metadata)
        self.wake()
        called = [n for n in self._numbers if any(self._hooks[n] is other for other in hooks)]
        return self._run(called, fetches, feed_dict, options, run_metadata)

    def wake(self) -> None:
        """Wakes idle hooks; they learn of the steps that they missed."""
        if self._idle is not None:
            with self._changing:
                idle, self._idle = self._idle, None
                if idle is not None:
                    idle.wake()

    def _fall_asleep(self) -> None:
        """Makes the hooks idle, if they can. Hooks made idle by another thread meanwhile are woken first."""
        if not self._stop.requested:
            with self._changing:
                self.wake()
                self._idle = fall_asleep(self._sess, self._hooks, self._gated, self._unfed)

    def _run_awake(self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        self.wake()
        result = self._run(self._numbers, fetches, feed_dict, options, run_metadata)
        self._fall_asleep()
        return result

    def _tell_due(self, idle: IdleHooks, context: HookContext, values: Any, told: dict[int, Any]) -> None:
        """Calls `after_run` of all hooks, for a step after which an idle hook is due. `told`: by number, the values of
        the hooks whose `before_run` was called."""
        idle.wake()
        self.wake()  # for hooks that another thread made idle meanwhile
        nothing = self._told(None, None)
        told_values = [told.get(n) or SessionRunValues(idle.value_of(n, values), *nothing) for n in self._numbers]
        self._calls.after(self._numbers, context, told_values)
        self._fall_asleep()

    def _run(
        self,
        numbers: Sequence[int],
        fetches: Any,
        feed_dict: Any,
        options: Any,
        run_metadata: Any,
        idle: IdleHooks | None = None,
    ) -> Any:
        """Runs a step with the hooks of these numbers; idle hooks are represented by their gate in `idle`."""
        if self._stop.requested:
            raise self._stop.error or RuntimeError(_STOPPED)
        context = HookContext(fetches, feed_dict, self._sess)
        hooks = [self._hooks[n] for n in numbers]
        requests = self._calls.before(numbers, context)
        step = self._kept
        if step is None or not step.are_for(fetches, feed_dict, requests):
            step = StepFetches(fetches, requests)
            asked_feeds = feed_dict
            if step.feeds:
                feed_dict = joined_with_user(step.feeds, feed_dict)
            step = self._waiting.without_skipped(step, hooks, fetches, requests, feed_dict)
            if step.feed_keys is not None:
                step.feed_keys = set(asked_feeds or ())
            self._kept = step if step.is_kept else None
            if step.options is not None:
                options = merged_options(options, step.options)
        told = self._told(options, run_metadata)
        if options is not None:
            run_metadata = told[1]
        wanted = fetches if len(step.all) == step.own else step.all
        seen = None  # values that the gate saw, if an idle hook is due
        if idle is None:
            results = self._sess.run(wanted, feed_dict, options, run_metadata)
        else:
            results, seen = self._run_beside(idle, wanted, feed_dict, options, run_metadata)
        result = results
        if wanted is not fetches:
            result = step.kind(results[: step.own]) if step.kind else results[0]
        values: list[Any] = [None] * len(step.all)  # the hooks' values, by position of their fetches
        for place in step.places:
            if place is not None and values[place] is None:
                values[place] = SessionRunValues(results[place], *told)
        nothing = SessionRunValues(None, *told)
        told_values = [nothing if place is None else values[place] for place in step.places]
        if idle is not None and seen is not None:
            self._tell_due(idle, context, seen, dict(zip(numbers, told_values)))
        else:
            self._calls.after(numbers, context, told_values)
        return result

    def _run_beside(
        self, idle: IdleHooks, wanted: Any, feed_dict: Any, options: Any, run_metadata: Any
    ) -> tuple[Any, Any]:
        """Runs a step; returns the results, and the values that the gate saw, or None if no idle hook is due."""
        gate = idle.gate
        if gate is not None and options is None and run_metadata is None:
            result = idle.steps.run(wanted, feed_dict, gate)
            if result.__class__ is _core.DueStep:
                return result.results, result.values
            if result is not NotImplemented:
                return result, None
        return tuple(self._sess.run([wanted, idle.watched], feed_dict, options, run_metadata))

    def _told(self, options: Any, run_metadata: Any) -> tuple[Any, Any]:
        """Returns the options and metadata that hooks get to see."""
        if options is not None:
            return options, protos.RunMetadata() if run_metadata is None else run_metadata
        if self._nothing is None:
            self._nothing = protos.RunOptions(), protos.RunMetadata()
        return self._nothing if run_metadata is None else (self._nothing[0], run_metadata)
