"""The life cycle of a session, whichever way it ends: `close`, garbage collection, a reset."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.sites.users_site import UsersSite, users_frame
from tinytf._src.session import lifetime
from tinytf._src.session.config import SessionName
from tinytf._src.session.partial_run import PartialRuns
from tinytf._src.session.step_runner import CLOSED, StepRunner

if TYPE_CHECKING:
    from tinytf._src.session.step_threads import StepThreads

RESTARTED = "Possibly, this master has restarted."


class SessionLife:
    """Owns the parts that end with a session. Thread-safe."""

    _threads: StepThreads | None = None  # created with the first awaited step

    def __init__(self, name: SessionName, steps: StepRunner, partial_runs: PartialRuns, factory: object) -> None:
        self.factory = factory  # of the session's engine; its `reset` ends the session
        self.steps = steps
        self._name = name
        self._engine = steps.engine
        self._partial_runs = partial_runs
        self.made_at = UsersSite(users_frame())
        lifetime.opened(self)

    def is_over(self) -> bool:
        """Returns whether runs fail from now on."""
        return self.steps.closed or self._engine.closed()

    def has_run(self) -> bool:
        """Returns whether a step was run or prepared."""
        return self.steps.seen_generation != 0

    def abort(self) -> None:
        """Ends the session as if its server had lost it: runs, and the first `close`, fail with AbortedError from now
        on."""
        self.steps.lost = f"Session {os.urandom(8).hex()} is not found."
        self.steps.cache.clear()
        self._partial_runs.clear()
        self._engine.abort(self.steps.lost)
        self.release_name()

    def close(self) -> None:
        """Cancels running steps, waits for their end and frees the session's resources. The first close of an aborted
        session raises AbortedError when that is done."""
        lost = self.steps.lost if not self.steps.closed else ""
        self.steps.close()
        self.forget()
        self.release()
        if self._threads is not None:
            self._threads.join()
        if lost:
            raise errors_impl.AbortedError(None, None, f"{lost} {RESTARTED}")

    def step_threads(self) -> StepThreads:
        """Returns the threads that run the session's awaited steps. RuntimeError if the session is closed."""
        from tinytf._src.session.step_threads import StepThreads

        threads = self._threads
        if threads is None:
            threads = self.__dict__.setdefault("_threads", StepThreads())  # atomic: of racing threads one wins
        if not threads.are_here():
            threads = self._threads = StepThreads()
        if self.steps.closed:  # read after the threads are set: a concurrent close() either sees them or is seen here
            threads.join()
            raise RuntimeError(CLOSED)
        return threads

    def release(self) -> None:
        """Closes the core session: runs fail from now on."""
        self.steps.cache.clear()
        self._partial_runs.clear()
        self._engine.close()
        self.release_name()

    def forget(self) -> None:
        """Removes the session from the registry of open sessions."""
        lifetime.ended(self)

    def release_name(self) -> None:
        """Makes the session's name available to others."""
        self._name.release()

    def clear_container(self, name: str) -> None:
        """Drops the resources of a container."""
        self._engine.clear_container(name)

    def warn_unclosed(self, session: Any, what: str) -> None:
        """Emits a ResourceWarning that names the line that created the session."""
        warnings.warn_explicit(
            f"{session!r} {what}; end a session with close() or a `with` block",
            ResourceWarning,
            self.made_at.filename or "<unknown>",
            self.made_at.lineno,
        )
