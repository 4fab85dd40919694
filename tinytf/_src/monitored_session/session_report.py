"""`SessionReport`: the result of `MonitoredSession.report()`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tinytf._src.exports import tf_export


@tf_export("experimental.SessionReport")
@dataclass(frozen=True)
class SessionReport:
    """The history of a monitored session so far. As a string it is a summary of a few lines."""

    sessions_created: int
    causes: tuple[str, ...]  # errors of the losses, oldest first; the last 1000
    stop_reason: str | None
    last_checkpoint: str | None  # written by a hook, or restored by the session
    pending_deletions: tuple[str, ...]  # checkpoints no longer listed but not deleted yet
    # time spent around steps, by the hook's class name, in order
    hook_seconds: dict[str, float] = field(default_factory=dict)
    hook_calls: dict[str, int] = field(default_factory=dict)  # number of steps around which the hook was called
    steps_again: int = 0  # steps repeated after losses, by difference of global steps

    def __str__(self) -> str:
        lines = [f"{self.sessions_created} session{'s' if self.sessions_created != 1 else ''}"]
        lines += [f"lost: {cause}" for cause in self.causes[-5:]]
        lines += [f"repeated steps: {self.steps_again}"] if self.steps_again else []
        lines.append(f"stopped: {self.stop_reason}" if self.stop_reason else "running")
        lines.append(f"last checkpoint: {self.last_checkpoint or 'none'}")
        lines += [f"pending deletion: {name}" for name in self.pending_deletions]
        for name, seconds in self.hook_seconds.items():
            lines.append(f"{name}: {seconds:.3g} s around {self.hook_calls[name]} steps")
        return "\n".join(lines)


class Times:
    """Time spent in each hook, by number. Threads that run steps concurrently may lose single counts."""

    def __init__(self, hooks: list[Any]) -> None:
        self._names = names_of(hooks)
        self.seconds = [0.0] * len(hooks)
        self.calls = [0] * len(hooks)

    def told(self) -> tuple[dict[str, float], dict[str, int]]:
        """Returns seconds and calls by name."""
        return dict(zip(self._names, self.seconds)), dict(zip(self._names, self.calls))


def names_of(hooks: list[Any]) -> list[str]:
    """Returns the class name of each hook, with a number where it is not unique."""
    kinds = [type(hook).__name__ for hook in hooks]
    return [kind if kinds.count(kind) == 1 else f"{kind} {kinds[: i + 1].count(kind)}" for i, kind in enumerate(kinds)]
