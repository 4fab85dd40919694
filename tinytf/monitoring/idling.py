"""Hooks that idle: what they wait for is told to a gate of the engine, which looks at steps in their place.

A hook of tinytf's own says by `_idle` when it has something to do again. Until then neither `before_run` nor `after_run` is
called: the gate sees the values that they would ask for. The step that the gate stops at goes to `after_run` of all.
"""

from __future__ import annotations

import math
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tinytf import _core
from tinytf.client.base_session import BaseSession
from tinytf.client.gated_steps import GatedSteps
from tinytf.framework.tensor import Tensor
from tinytf.monitoring.unfed import UnfedInputs
from tinytf.training.session_run_hook import SessionRunHook

_NEVER = math.inf
_LARGEST = 2**63 - 1


@dataclass(frozen=True)
class Idle:
    """When a hook has something to do again. Numbers may be of any type."""

    step_read: Tensor | None = None  # by which it reads the global step
    number: Tensor | None = None  # it has something to do when this is none
    step_after: Any = _NEVER  # a step that shows this global step, or a later one, is for `after_run`
    step_before: Any = _NEVER  # the step after one that shows this, or a later one, is for `before_run`
    steps: Any = _NEVER  # after so many steps the next one is for `before_run`
    secs_after: float = _NEVER  # in so many seconds there is something for `after_run`
    secs_before: float = _NEVER  # and for `before_run`
    last_step: Any = None  # a step that shows this, as the one before did, is for `after_run`

    @property
    def wanted(self) -> Tensor | None:
        """What it would ask for."""
        return self.step_read if self.number is None else self.number


class _Watchful:
    """`_idle` of hooks that see each step."""


WATCHFUL = _Watchful()


def idles(hook_class: type) -> type:
    """Marks a class whose `_idle()` gives an `Idle`; None: not now; or WATCHFUL: never. `_slept(steps, last_step)` tells the
    hook what it has missed. Both are for hooks whose `before_run` and `after_run` are this very class's own."""
    hook_class._own_calls = _calls_of(hook_class)  # type: ignore[attr-defined]
    return hook_class


def _calls_of(hook_class: type) -> tuple[Any, Any]:
    return getattr(hook_class, "before_run", None), getattr(hook_class, "after_run", None)


_UNCALLED = _calls_of(SessionRunHook)


def may_idle(hook: Any) -> bool:
    """Whether the hook's calls around steps are those that `_idle` speaks for, or are none."""
    if isinstance(hook, SessionRunHook) and not {"before_run", "after_run"} & vars(hook).keys():
        return _calls_of(type(hook)) in (_UNCALLED, getattr(hook, "_own_calls", None))
    return False


def wake_elsewhere(hooks: Sequence[Any]) -> None:
    """Those of the hooks that idle in another session see all steps from here on, after they are told what they missed: what
    they count is of all their sessions."""
    for hook in hooks:
        place = vars(hook).get("_idles_in") if isinstance(hook, SessionRunHook) else None
        idle = None if place is None else place()
        if idle is not None and idle.gate is not None:
            idle.wake()
            hook._is_shared = True


class IdleHooks:
    """Hooks of one session while they idle, and the steps that pass them by. Thread-safe."""

    def __init__(
        self, hooks: Sequence[Any], told: Sequence[Any], watched: list[Tensor], steps: GatedSteps, gate: Any
    ) -> None:
        self.called_numbers = [number for number, idle in enumerate(told) if idle is WATCHFUL]
        self.called = [hooks[number] for number in self.called_numbers]  # in each step all the same
        self.watched = watched
        self.steps = steps
        self.gate = gate  # None: they are awake
        self.sleeping = [hook for hook, idle in zip(hooks, told) if idle is not WATCHFUL and _says_when(hook)]
        places = {id(tensor): i for i, tensor in enumerate(watched)}
        wanted = [None if idle is WATCHFUL else idle.wanted for idle in told]
        self._places = [places.get(id(tensor)) for tensor in wanted]  # of the values that hooks want, by hook
        self._lock = threading.Lock()

    def value_of(self, number: int, values: Sequence[Any]) -> Any:
        """What a hook, by its number, wants of the values that the gate saw; None for one that wants none."""
        place = self._places[number]
        return None if place is None else values[place]

    def wake(self) -> None:
        """Tells the hooks, once, what they have missed. The gate is shut from here on."""
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
    """The hooks as those that idle, if all of them do that are able to, and there is one. `kept` and `unfed` are of the
    session."""
    if not isinstance(session, BaseSession) or len({id(hook) for hook in hooks}) < len(hooks):  # some are called twice
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
    key = tuple(map(id, watched))  # which live as long as the graph
    if key not in kept:
        kept[key] = GatedSteps(
            session, watched, lambda feed_dict: not any(unfed.of(number, feed_dict) for number in numbers)
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
    """Whether a hook that may idle is of a class that was marked, and not one without calls around steps."""
    return _calls_of(type(hook)) != _UNCALLED


def _limit(number: Any) -> int:
    """The least whole number that is not less, as far as the engine has such numbers."""
    if not number < _LARGEST:
        return _LARGEST
    return max(math.ceil(number), -_LARGEST)
