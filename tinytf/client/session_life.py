"""From the making of a session to its end, whichever way it comes: `close`, the last reference, a reset."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

from tinytf.client import lifetime
from tinytf.client.config import SessionName
from tinytf.client.partial_run import PartialRuns
from tinytf.client.step_runner import StepRunner
from tinytf.framework import errors_impl
from tinytf.framework.users_site import UsersSite, users_frame

if TYPE_CHECKING:
    from tinytf.client.step_threads import StepThreads

RESTARTED = "Possibly, this master has restarted."


class SessionLife:
    """What ends with a session. Thread-safe."""

    threads: StepThreads | None = None  # the object gets its own for the first step that is awaited

    def __init__(self, name: SessionName, steps: StepRunner, partial_runs: PartialRuns, is_server_s: bool) -> None:
        self.is_server_s = is_server_s  # it ends with a server, and is no direct session
        self._name = name
        self._core = steps.core
        self._steps = steps
        self._partial_runs = partial_runs
        self.made_at = UsersSite(users_frame())
        lifetime.opened(self)

    def is_over(self) -> bool:
        """Whether runs fail from here on."""
        return self._steps.closed or self._core.closed()

    def has_run(self) -> bool:
        """Whether a step was begun, or prepared."""
        return self._steps.seen_generation != 0

    def abort(self) -> None:
        """Ends the session as if its server had lost it: runs, and the first `close`, fail with AbortedError from there on."""
        self._steps.lost = f"Session {os.urandom(8).hex()} is not found."
        self._steps.cache.clear()
        self._partial_runs.clear()
        self._core.abort(self._steps.lost)
        self.release_name()

    def close(self) -> None:
        """Frees what the session holds. Running steps are cancelled; returns when they have ended. AbortedError, when that is
        done, if the session was lost, once."""
        lost = self._steps.lost if not self._steps.closed else ""
        self._steps.close()
        self.forget()
        self.release()
        if self.threads is not None:
            self.threads.join()
        if lost:
            raise errors_impl.AbortedError(None, None, f"{lost} {RESTARTED}")

    def release(self) -> None:
        """Ends the core's part: runs fail from there on."""
        self._steps.cache.clear()
        self._partial_runs.clear()
        self._core.close()
        self.release_name()

    def forget(self) -> None:
        """Takes the session off the list of open ones."""
        lifetime.ended(self)

    def release_name(self) -> None:
        """Lets others have the session's name."""
        self._name.release()

    def clear_container(self, name: str) -> None:
        """Drops the resources of a container."""
        self._core.clear_container(name)

    def warn_unclosed(self, session: Any, what: str) -> None:
        """Python shows it where ResourceWarning is enabled, with the line that made the session."""
        warnings.warn_explicit(
            f"{session!r} {what}; end a session with close() or a `with` block",
            ResourceWarning,
            self.made_at.filename or "<unknown>",
            self.made_at.lineno,
        )
