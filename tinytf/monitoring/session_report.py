"""What is told of a monitored session: `session.report()`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tinytf.exports import tf_export


@tf_export("experimental.SessionReport")
@dataclass(frozen=True)
class SessionReport:
    """What has become of a monitored session so far. As text it is a few lines for people."""

    sessions_created: int
    causes: tuple[str, ...]  # of losses, by the errors they came with, oldest first; the last thousand
    stop_reason: str | None
    last_checkpoint: str | None  # that a hook has written, or that the session began with
    pending_deletions: tuple[str, ...]  # checkpoints that are listed no more, but still there
    hook_seconds: dict[str, float] = field(default_factory=dict)  # around steps, by the hook's class, in its order
    hook_calls: dict[str, int] = field(default_factory=dict)  # steps around which it was called
    steps_again: int = 0  # that were done again after losses, by the global steps before and after

    def __str__(self) -> str:
        lines = [f"{self.sessions_created} session{'s' if self.sessions_created != 1 else ''}"]
        lines += [f"lost: {cause}" for cause in self.causes[-5:]]
        lines += [f"steps done again: {self.steps_again}"] if self.steps_again else []
        lines.append(f"stopped: {self.stop_reason}" if self.stop_reason else "goes on")
        lines.append(f"last checkpoint: {self.last_checkpoint or 'none'}")
        lines += [f"to be deleted: {name}" for name in self.pending_deletions]
        for name, seconds in self.hook_seconds.items():
            lines.append(f"{name}: {seconds:.3g} s around {self.hook_calls[name]} steps")
        return "\n".join(lines)


class Times:
    """What hooks take around steps, by their numbers. Threads that run steps at a time may lose a call now and then."""

    def __init__(self, hooks: list[Any]) -> None:
        self._names = names_of(hooks)
        self.seconds = [0.0] * len(hooks)
        self.calls = [0] * len(hooks)

    def told(self) -> tuple[dict[str, float], dict[str, int]]:
        """Seconds, and calls, by name."""
        return dict(zip(self._names, self.seconds)), dict(zip(self._names, self.calls))


def names_of(hooks: list[Any]) -> list[str]:
    """The class of each, with a number where one is not alone."""
    kinds = [type(hook).__name__ for hook in hooks]
    return [kind if kinds.count(kind) == 1 else f"{kind} {kinds[: i + 1].count(kind)}" for i, kind in enumerate(kinds)]
