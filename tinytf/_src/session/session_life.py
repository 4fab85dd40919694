"""The life cycle of a session, whichever way it ends: `close`, garbage collection, a reset."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

from tinytf._src.framework import errors_impl
from tinytf._src.framework.users_site import UsersSite, users_frame
from tinytf._src.session import lifetime
from tinytf._src.session.config import SessionName
from tinytf._src.session.partial_run import PartialRuns
from tinytf._src.session.step_runner import StepRunner

if TYPE_CHECKING:
    from tinytf._src.session.step_threads import StepThreads

RESTARTED = "Possibly, this master has restarted."


class SessionLife:
    """Owns the parts that end with a session. Thread-safe."""

    threads: StepThreads | None = None  # created with the first awaited step

    def __init__(self, name: SessionName, steps: StepRunner, partial_runs: PartialRuns, is_server_s: bool) -> None:
        self.is_server_s = is_server_s  # true: it ends with its server, and `Session.reset('')` skips it
        self._name = name
        self._core = steps.core
        self._steps = steps
        self._partial_runs = partial_runs
        self.made_at = UsersSite(users_frame())
        lifetime.opened(self)

    def is_over(self) -> bool:
        """Returns whether runs fail from now on."""
        return self._steps.closed or self._core.closed()

    def has_run(self) -> bool:
        """Returns whether a step was run or prepared."""
        return self._steps.seen_generation != 0

    def abort(self) -> None:
        """Ends the session as if its server had lost it: runs, and the first `close`, fail with AbortedError from now
        on."""
        self._steps.lost = f"Session {os.urandom(8).hex()} is not found."
        self._steps.cache.clear()
        self._partial_runs.clear()
        self._core.abort(self._steps.lost)
        self.release_name()

    def close(self) -> None:
        """Cancels running steps, waits for their end and frees the session's resources. The first close of an aborted
        session raises AbortedError when that is done."""
        lost = self._steps.lost if not self._steps.closed else ""
        self._steps.close()
        self.forget()
        self.release()
        if self.threads is not None:
            self.threads.join()
        if lost:
            raise errors_impl.AbortedError(None, None, f"{lost} {RESTARTED}")

    def release(self) -> None:
        """Closes the core session: runs fail from now on."""
        self._steps.cache.clear()
        self._partial_runs.clear()
        self._core.close()
        self.release_name()

    def forget(self) -> None:
        """Removes the session from the registry of open sessions."""
        lifetime.ended(self)

    def release_name(self) -> None:
        """Makes the session's name available to others."""
        self._name.release()

    def clear_container(self, name: str) -> None:
        """Drops the resources of a container."""
        self._core.clear_container(name)

    def warn_unclosed(self, session: Any, what: str) -> None:
        """Emits a ResourceWarning that names the line that created the session."""
        warnings.warn_explicit(
            f"{session!r} {what}; end a session with close() or a `with` block",
            ResourceWarning,
            self.made_at.filename or "<unknown>",
            self.made_at.lineno,
        )
