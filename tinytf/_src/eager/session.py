"""`tf.EagerSession`: executes operations eagerly, and frees their values by a selectable strategy."""

from __future__ import annotations

import os
import threading
import time
import warnings
import weakref
from typing import Any

from tinytf import _core
from tinytf._src.eager import strategies
from tinytf._src.eager.builder import EagerOperationBuilder
from tinytf._src.eager.default_session import DefaultSession
from tinytf._src.eager.reports import LiveExport, held_exports, leak_report, live_exports, live_tensors
from tinytf._src.eager.scope import EagerScope
from tinytf._src.eager.session_entries import SessionEntries
from tinytf._src.eager.session_settings import SessionSettings
from tinytf._src.eager.session_stats import ReaperStats, SafePointStats, SessionStats
from tinytf._src.eager.session_twin import SessionTwin
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.errors_impl import DeadlineExceededError
from tinytf._src.framework.logs import log, placement_log
from tinytf._src.framework.process_end import at_process_end
from tinytf._src.framework.sites.users_site import UsersSite, users_frame

_lock = threading.Lock()  # of the default session, and of twins
os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # type: ignore[attr-defined]
_default: DefaultSession[EagerSession] = DefaultSession(_lock)
_made: weakref.WeakValueDictionary[int, EagerSession] = weakref.WeakValueDictionary()  # by id
_left_behind: list[EagerSession] = []  # sessions whose operations did not end in time at exit
_SECONDS_AT_EXIT = 0.5  # how long the process's exit waits for operations


@tf_export("EagerSession")
class EagerSession:
    """Executes operations as they are built, and owns the values that they yield.

    Close it, or use it in a `with` statement, in whose body operations are executed in this session. Closing frees all
    its values, whatever the strategy; arrays exported to NumPy or DLPack stay valid. `get_default()` is the process's
    own session, which users do not close. Thread-safe; cannot be copied.

    Args:
      async_: bool, whether operations run on a thread of the session while the program goes on.
      device_placement_policy: a `DevicePlacementPolicy`, for inputs on another device.
      resource_cleanup_strategy: a `ResourceCleanupStrategy`: when to free values that the program no longer refers to.
      config: a `ConfigProto`, its bytes, or None.
      track_sites: bool, whether values remember the line that made them.
      **marks: ints, the other options of `options()`, for example `memory_limit_bytes`.

    Raises:
      InvalidArgumentError: for an invalid config, negative numbers, or a hard mark below the soft mark.
      TypeError: for flags that are not bools or numbers that are not ints.
      RuntimeError: if it is initialized again.

    Example:
      with tf.EagerSession() as session:
        x = tf.constant([1.0, 2.0])
        print(tf.reduce_sum(x).numpy())  # 3.0
    """

    Options = strategies.Options
    ResourceCleanupStrategy = strategies.ResourceCleanupStrategy
    DevicePlacementPolicy = strategies.DevicePlacementPolicy

    def __init__(
        self,
        async_: bool = False,
        device_placement_policy: Any = strategies.DevicePlacementPolicy.SILENT,
        resource_cleanup_strategy: Any = strategies.ResourceCleanupStrategy.IN_BACKGROUND,
        config: Any = None,
        track_sites: bool = False,
        **marks: Any,
    ) -> None:
        if hasattr(self, "_entries"):
            raise RuntimeError("An eager session cannot be initialized again")
        self._entries = SessionEntries()
        self._twin: SessionTwin[EagerSession] = SessionTwin(_lock)
        self._is_default = False
        self._site = UsersSite(users_frame())
        self._settings = SessionSettings(
            async_, device_placement_policy, resource_cleanup_strategy, config, track_sites, marks
        )
        self._core = self._settings.new_core()
        _core.set_session_site(self._core, self._site)
        _made[id(self)] = self

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("eager sessions cannot be copied or pickled")

    # -- Creation ----------------------------------------------------------------------------------------------------

    @staticmethod
    def options() -> strategies.Options:
        """Returns a builder of options: `EagerSession.options().async_(True).build()`."""
        return strategies.Options()

    @staticmethod
    def create() -> EagerSession:
        """Returns a new session with default options."""
        return EagerSession()

    @staticmethod
    def init_default(options: strategies.Options | None = None) -> EagerSession:
        """Creates the process's default session with the given options.

        Args:
          options: from `EagerSession.options()`; None: default options.

        Returns:
          The session.

        Raises:
          RuntimeError: if the default session exists already, because it was used or initialized.
        """
        return _default.init((options or strategies.Options()).build)

    @staticmethod
    def get_default() -> EagerSession:
        """Returns the process's default session, which is created with default options at the first call."""
        return _default.get(EagerSession)

    @staticmethod
    def default_if_made() -> EagerSession | None:
        """Returns the process's default session, or None before its first use."""
        return _default.session

    @staticmethod
    def current() -> EagerSession:
        """Returns the session that executes operations here: the innermost one that the Python context entered, else
        the default one."""
        return _core.entered_session() or EagerSession.get_default()

    def _other_way(self) -> EagerSession:
        """Returns the twin of this session with the other execution mode, synchronous or asynchronous. It is created on
        demand, and closed with this session."""
        self._check_open()
        return self._twin.made_by(self, lambda: EagerSession(**self._settings.of_twin()))

    def _become_default(self) -> None:
        self._is_default = True
        placement_log.settle(self._settings.logs_placement)
        _core.set_default_core(self._core)

    # -- Use ---------------------------------------------------------------------------------------------------------

    @property
    def strategy(self) -> strategies.ResourceCleanupStrategy:
        """The cleanup strategy."""
        return self._settings.strategy

    resource_cleanup_strategy = strategy

    @property
    def device_placement_policy(self) -> strategies.DevicePlacementPolicy:
        """The device placement policy."""
        return self._settings.policy

    @property
    def is_async(self) -> bool:
        """Whether operations run on a thread of the session."""
        return self._settings.is_async

    @property
    def closed(self) -> bool:
        """Whether the session was closed."""
        return self._core.closed

    @property
    def pending_ops(self) -> int:
        """The number of operations of an asynchronous session that have not run yet."""
        return self.stats().pending_ops

    def op_builder(self, type: str, name: str) -> EagerOperationBuilder:
        """Returns a builder of one operation. A safe point.

        Args:
          type: str, the op's name.
          name: str, the operation's name.

        Raises:
          SessionClosedError: if the session is closed.
          UnimplementedError: for ops that exist in graphs only.
          InvalidArgumentError: if there is no such op.
        """
        self._safe_point()
        self._check_open()
        return EagerOperationBuilder(self, type, name)

    def _check_open(self) -> None:
        if not self._core.open:
            self._core.clear_error()  # raises SessionClosedError, except on threads that are cut off at exit

    def _safe_point(self) -> None:
        self._core.safe_point()
        if self._core.retained_warning_due():
            retained = self.stats().retained_bytes
            log.logger().warning(
                "An eager session made at %s retains %d bytes of values that the program no longer refers to; closing it "
                "frees them",
                self._site,
                retained,
            )

    def collect(self) -> int:
        """Frees the values that are queued now; returns their number. Does nothing under ON_SESSION_CLOSE."""
        return self._core.collect()

    def trim(self) -> int:
        """Frees the values that are queued now, and returns idle memory to the system; this may take long.

        Idle memory beyond 16 MiB is returned by itself after some seconds.

        Returns:
          int, the number of bytes returned to the system.
        """
        return self._core.trim()

    def flush(self, timeout: float | None = None) -> None:
        """Waits until all values that were queued before the call are freed.

        Args:
          timeout: seconds; None: no limit.

        Raises:
          DeadlineExceededError: after `timeout` seconds.
        """
        self._core.flush(_milliseconds(timeout))

    def synchronize(self, timeout: float | None = None) -> None:
        """Waits until all operations have run. Returns at once in sessions that are not asynchronous.

        Args:
          timeout: seconds; None: no limit.

        Raises:
          DeadlineExceededError: after `timeout` seconds.
          OpError: the error of the first operation that failed.
          SessionClosedError: if the session is closed.
        """
        self._check_open()
        self._core.synchronize(_milliseconds(timeout))

    def clear_error(self) -> None:
        """Clears the error of a failed asynchronous operation, so that later operations run again."""
        self._core.clear_error()

    def scope(self) -> EagerScope:
        """Returns a scope that frees, at its end, the values made in it, except detached ones."""
        self._check_open()
        return EagerScope(self)

    def reset(self, timeout: float | None = None) -> None:
        """Frees everything as `close` does, but the session stays open. `timeout`: seconds to wait for operations, or
        None."""
        if (twin := self._twin.owned()) is not None:
            twin.reset(timeout)
        self._core.reset(_milliseconds(timeout))

    # -- Statistics --------------------------------------------------------------------------------------------------

    def stats(self) -> SessionStats:
        """Returns a `SessionStats` with figures of the session's values. Takes no lock."""
        return self._core.stats()

    def live_tensors(self, by: str | None = None) -> Any:
        """Lists the values that the program holds.

        Args:
          by: None, "op" or "site".

        Returns:
          With `by` None, a list of (shape, dtype, bytes, op, site); else a dict from ops or sites to (number of
          tensors, bytes), largest first. Ops and sites are known to sessions with `track_sites` only.

        Raises:
          ValueError: for another `by`.
        """
        return live_tensors(self._core, by)

    def live_exports(self) -> list[LiveExport]:
        """Lists memory of values that is held outside of tensors, for example by NumPy arrays; also for a closed
        session.

        Returns:
          A list of (kind, shape, dtype, bytes, op, site), newest first. Op and site are known to sessions with
          `track_sites` only.
        """
        return live_exports(self._core)

    # -- Closing -----------------------------------------------------------------------------------------------------

    def close(self, timeout: float | None = None, cancel_pending: bool = False, strict: bool = False) -> None:
        """Waits for running operations, then frees every value. Closing a closed session does nothing.

        Args:
          timeout: seconds to wait; None: no limit.
          cancel_pending: bool, whether operations that block, for example in `dequeue`, and functions are cancelled, and
            pending ones of an asynchronous session are dropped; also if another call of `close` waits for them already.
          strict: bool, whether to raise an error, after all is freed, if exported arrays are still held.

        Raises:
          DeadlineExceededError: after `timeout` seconds; nothing was freed, and `close` may be called again.
          RuntimeError: for the default session, which is closed at exit; with `strict`, if exports are held, which the
            message lists.
        """
        if self._is_default:
            raise RuntimeError("Default eager session cannot be closed")
        self._close(timeout, cancel_pending, strict)

    def _close(self, timeout: float | None = None, cancel_pending: bool = False, strict: bool = False) -> None:
        if self._settings.tracks_sites and self._core.open:
            leak_report(self._core)
        if (twin := self._twin.owned()) is not None:
            twin._close(timeout, cancel_pending)
        self._core.close(_milliseconds(timeout), cancel_pending)
        held = held_exports(self._core) if strict else ""
        if held:
            raise RuntimeError(held)

    def __enter__(self) -> EagerSession:
        self._check_open()
        if any(session is self for session in _core.entered_sessions()):
            raise RuntimeError("The eager session has already been entered")
        self._entries.push(self)
        return self

    def __exit__(self, exc_type: Any, exc: Any, traceback: Any) -> None:
        if not self._entries.exist():
            raise RuntimeError("The eager session has not been entered")
        twin = self._twin.session
        if twin is not None and _core.entered_session() is twin:  # entered by `set_execution_mode` in the body
            twin._entries.pop()
        self._entries.pop()
        if self._is_default or self._twin.is_owner:
            return
        try:
            self._close()
        except Exception as error:
            if exc is None:
                raise
            error.__context__ = None  # avoids a cycle: the body's error is its context
            _innermost_context(exc).__context__ = error

    def __del__(self) -> None:
        core = getattr(self, "_core", None)  # None if the constructor failed early
        if core is not None and not core.closed and not self._is_default:
            try:
                if not self._twin.is_owner:
                    self._warn_unclosed()  # raises if warnings are errors
            finally:
                core.abandon()  # the core's destructor would do the same if this is interrupted

    def _warn_unclosed(self) -> None:
        warnings.warn(f"An eager session made at {self._site} was not closed", ResourceWarning, stacklevel=3)

    def __repr__(self) -> str:
        return f"<tf.EagerSession {self.stats().state}, {self.strategy.name}{', async' if self.is_async else ''}>"


def _innermost_context(error: BaseException) -> BaseException:
    """Returns the last error of a chain of `__context__`s."""
    while error.__context__ is not None:
        error = error.__context__
    return error


def _milliseconds(seconds: float | None) -> int:
    return -1 if seconds is None else max(0, round(min(seconds * 1000, 2.0**62)))


def open_sessions() -> list[EagerSession]:
    """Returns all open sessions of the process."""
    sessions = [reference() for reference in _made.valuerefs()]  # a copy, as other threads may add theirs
    return [session for session in sessions if session is not None and session._core.open]


def forget_default() -> None:
    """Closes the default session, if it exists; the next use creates a new one."""
    session = _default.take()
    if session is not None:
        session._close()


def end_at_exit() -> None:
    """Closes all sessions at exit, with a ResourceWarning for each that the program should have closed.

    Running operations get `_SECONDS_AT_EXIT`, all together. A session whose operations take longer keeps its values
    until the process ends.
    """
    _core.end_eager_threads()
    until = time.monotonic() + _SECONDS_AT_EXIT
    for session in open_sessions():
        if not session._is_default and not session._twin.is_owner:
            session._warn_unclosed()
        try:
            session._close(max(0.0, until - time.monotonic()))
        except DeadlineExceededError:
            _left_behind.append(session)
            try:
                # ends operations that block, and the session's thread, which may be joined
                session._close(0.0, cancel_pending=True)
            except DeadlineExceededError:
                pass


def _users_line() -> str:
    return str(UsersSite(users_frame()))


_core.set_stats_types(SessionStats, ReaperStats, SafePointStats)
at_process_end(end_at_exit)
_core.set_eager_reports(
    _users_line, lambda text: log.logger().warning("%s", text), lambda text: log.logger().info("%s", text)
)
strategies.Options._session = EagerSession
