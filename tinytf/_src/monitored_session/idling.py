"""Idle hooks: a gate in the core watches the steps in their place.

A hook class of tinytf tells by `_idle` when it is due next. Until then `before_run` and `after_run` are not called; the
gate sees the values that the hook would fetch. The step at which the gate shuts is passed to `after_run` of all hooks.
"""

from __future__ import annotations

import math
import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tinytf import _core
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.monitored_session.unfed import UnfedInputs
from tinytf._src.session.base_session import local_engine_of
from tinytf._src.session.gated_steps import GatedSteps
from tinytf._src.training.session_run_hook import SessionRunHook

_NEVER = math.inf
_LARGEST = 2**63 - 1


@dataclass(frozen=True)
class Idle:
    """When a hook is due next. Numbers may be of any type."""

    step_read: Tensor | None = None  # the tensor by which it reads the global step
    number: Tensor | None = None  # due for `after_run` when this becomes NaN
    step_after: Any = _NEVER  # due for `after_run` of a step that shows at least this global step
    step_before: Any = _NEVER  # due for `before_run` after a step that shows at least this global step
    steps: Any = _NEVER  # due for `before_run` after this number of steps
    secs_after: float = _NEVER  # due for `after_run` in this number of seconds
    secs_before: float = _NEVER  # due for `before_run` in this number of seconds
    last_step: Any = None  # due for `after_run` if a step shows the same global step as the one before, initially this

    @property
    def wanted(self) -> Tensor | None:
        """The tensor that its `before_run` would fetch."""
        return self.step_read if self.number is None else self.number


class _Watchful:
    """Type of WATCHFUL, the result of `_idle` of hooks that must see each step."""


WATCHFUL = _Watchful()


def idles(hook_class: type) -> type:
    """Class decorator for hooks whose `_idle()` returns an `Idle`, None (cannot idle now) or WATCHFUL (never idles).
    `_slept(steps, last_step)` informs the hook of the steps it missed. Applies only if `before_run` and `after_run` are
    not overridden."""
    hook_class._own_calls = _calls_of(hook_class)  # type: ignore[attr-defined]
    return hook_class


def _calls_of(hook_class: type) -> tuple[Any, Any]:
    return getattr(hook_class, "before_run", None), getattr(hook_class, "after_run", None)


_UNCALLED = _calls_of(SessionRunHook)


def may_idle(hook: Any) -> bool:
    """Returns whether the hook's `before_run` and `after_run` are the ones `_idle` was written for, or the no-ops of
    the base class."""
    if isinstance(hook, SessionRunHook) and not {"before_run", "after_run"} & vars(hook).keys():
        return _calls_of(type(hook)) in (_UNCALLED, getattr(hook, "_own_calls", None))
    return False


def wake_elsewhere(hooks: Sequence[Any]) -> None:
    """Wakes the hooks that idle in another session, and stops their idling for good: their counts include the steps of
    all their sessions."""
    for hook in hooks:
        place = vars(hook).get("_idles_in") if isinstance(hook, SessionRunHook) else None
        idle = None if place is None else place()
        if idle is not None and idle.gate is not None:
            idle.wake()
            hook._is_shared = True


class IdleHooks:
    """The idle hooks of one session, and the steps that the gate passes. Thread-safe."""

    def __init__(
        self, hooks: Sequence[Any], told: Sequence[Any], watched: list[Tensor], steps: GatedSteps, gate: Any
    ) -> None:
        self.called_numbers = [number for number, idle in enumerate(told) if idle is WATCHFUL]
        self.called = [hooks[number] for number in self.called_numbers]  # WATCHFUL hooks, called in each step
        self.watched = watched
        self.steps = steps
        self.gate = gate  # None: woken
        self.sleeping = [hook for hook, idle in zip(hooks, told) if idle is not WATCHFUL and _says_when(hook)]
        places = {id(tensor): i for i, tensor in enumerate(watched)}
        wanted = [None if idle is WATCHFUL else idle.wanted for idle in told]
        # index of each hook's value among the watched ones
        self._places = [places.get(id(tensor)) for tensor in wanted]
        # The gate does not use clocks that the program puts in the place of these.
        self.wall_clock, self.steady_clock = time.time, time.monotonic
        self._lock = threading.Lock()

    def value_of(self, number: int, values: Sequence[Any]) -> Any:
        """Returns the value that hook `number` would fetch, of the values the gate saw; None if it fetches nothing."""
        place = self._places[number]
        return None if place is None else values[place]

    def wake(self) -> None:
        """Shuts the gate and informs the hooks of the steps they missed. Idempotent."""
        with self._lock:
            gate, self.gate = self.gate, None
            if gate is None:
                return
            gate.shut()
            if gate.passed:
                for hook in self.sleeping:
                    if hasattr(hook, "_slept"):
                        hook._slept(gate.passed, gate.last_step)


def fall_asleep(
    session: Any, hooks: Sequence[Any], kept: dict[Any, GatedSteps], unfed: UnfedInputs
) -> IdleHooks | None:
    """Makes the hooks idle and returns them; None if one of them cannot idle now, or there are none to idle. `kept` and
    `unfed` are caches of the session."""
    # a hook that occurs twice is called twice
    if local_engine_of(session) is None or len({id(hook) for hook in hooks}) < len(hooks):
        return None
    wake_elsewhere(hooks)
    told: list[Any] = []
    for hook in hooks:
        idle = _idle_of(hook)
        if idle is None:
            return None
        told.append(idle)
    sleeping = [idle for idle in told if idle is not WATCHFUL]
    if not sleeping:
        return None
    reads = _unique([idle.step_read for idle in sleeping])
    if len(reads) > 1:
        return None
    numbers = _unique([idle.number for idle in sleeping])
    watched = [*reads, *numbers]
    key = tuple(map(id, watched))  # the tensors live as long as the graph
    if key not in kept:
        kept[key] = GatedSteps(
            session,
            session._steps,
            watched,
            lambda feed_dict: not any(unfed.of(number, feed_dict) for number in numbers),
        )
    last_steps = [idle.last_step for idle in sleeping if idle.last_step is not None]
    gate = _core.StepGate(
        step_after=_limit(min(idle.step_after for idle in sleeping)),
        step_before=_limit(min(idle.step_before for idle in sleeping)),
        steps=_limit(min(idle.steps for idle in sleeping)),
        secs_after=float(min(idle.secs_after for idle in sleeping)),
        secs_before=float(min(idle.secs_before for idle in sleeping)),
        moves=bool(last_steps),
        has_step=bool(reads),
        values=len(watched),
        last_step=int(last_steps[0]) if last_steps else 0,
        has_last_step=bool(last_steps),
    )
    made = IdleHooks(hooks, told, watched, kept[key], gate)
    for hook in made.sleeping:
        hook._idles_in = weakref.ref(made)
    return made


def _unique(tensors: list[Tensor | None]) -> list[Tensor]:
    return list({id(tensor): tensor for tensor in tensors if tensor is not None}.values())


def _idle_of(hook: Any) -> Any:
    if not may_idle(hook) or getattr(hook, "_is_shared", False):
        return WATCHFUL
    return hook._idle() if _says_when(hook) else Idle()


def _says_when(hook: Any) -> bool:
    """Returns whether a hook that may idle is of a decorated class, not one without calls around steps."""
    return _calls_of(type(hook)) != _UNCALLED


def _limit(number: Any) -> int:
    """Rounds up to an integer, limited to the range of int64."""
    if not number < _LARGEST:
        return _LARGEST
    return max(math.ceil(number), -_LARGEST)
