"""`tf.EagerSession`: an environment in which operations are executed, and whose values are freed by a chosen strategy."""

from __future__ import annotations

import contextvars
import os
import threading
import time
import warnings
import weakref
from typing import Any

from tinytf import _core
from tinytf.eager import strategies
from tinytf.eager.builder import EagerOperationBuilder
from tinytf.eager.reports import LiveExport, held_exports, leak_report, live_exports, live_tensors
from tinytf.eager.scope import EagerScope
from tinytf.eager.session_config import core_options
from tinytf.eager.session_stats import ReaperStats, SafePointStats, SessionStats
from tinytf.framework import execution, log
from tinytf.framework.errors_impl import DeadlineExceededError
from tinytf.framework.users_site import UsersSite, users_frame

# (session, how the thread's operations ran before) of each session that was entered, innermost last.
_entered: contextvars.ContextVar[tuple[Any, ...]] = contextvars.ContextVar("tinytf_entered_sessions", default=())
_entered_core: contextvars.ContextVar[Any] = contextvars.ContextVar("tinytf_entered_core", default=None)
_default_lock = threading.Lock()
os.register_at_fork(after_in_child=_default_lock._at_fork_reinit)  # type: ignore[attr-defined]
_default: EagerSession | None = None
_made: weakref.WeakSet[EagerSession] = weakref.WeakSet()
_left_behind: list[EagerSession] = []  # at the process's end
_SECONDS_AT_EXIT = 0.5  # that the process's end waits for operations


class EagerSession:
    """Executes operations as they are built, and owns the values that they yield.

    Close it, or use it in a `with` statement: then all its values are freed, whatever the strategy; arrays that were
    exported to NumPy or DLPack stay valid. In the body of the `with` statement operations are executed, in this session.
    `get_default()` is the process's own session, which is never closed by hand. Thread-safe.

    Args:
      async_: run operations on a thread of the session while the program goes on.
      device_placement_policy: what to do with inputs on another device.
      resource_cleanup_strategy: when to free what the program no longer refers to.
      config: a ConfigProto, its bytes, or None.
      The others are those of `options()`.

    Raises InvalidArgumentError for a config that cannot be read.
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
        self._strategy = strategies.ResourceCleanupStrategy(resource_cleanup_strategy)
        self._policy = strategies.DevicePlacementPolicy(device_placement_policy)
        options = core_options(config)
        self._soft_placement = options.get("allow_soft_placement", False)
        self._core = _core.SessionCore(
            strategy=int(self._strategy),
            asynchronous=bool(async_),
            device_policy=int(self._policy),
            track_sites=bool(track_sites),
            **options,
            **marks,
        )
        self._async = bool(async_)
        self._track_sites = track_sites
        self._is_default = False
        self._options = {
            "device_placement_policy": device_placement_policy,
            "resource_cleanup_strategy": resource_cleanup_strategy,
            "config": config,
            "track_sites": track_sites,
            **marks,
        }
        self._twin: EagerSession | None = None
        self._is_twin = False
        self._capsule = _core.core_capsule(self._core)
        self._site = UsersSite(users_frame())
        _core.set_session_site(self._core, self._site)
        _made.add(self)

    # -- Making ------------------------------------------------------------------------------------------------------

    @staticmethod
    def options() -> strategies.Options:
        """Options to set one by one: `EagerSession.options().async_(True).build()`."""
        return strategies.Options()

    @staticmethod
    def create() -> EagerSession:
        """A session with default options."""
        return EagerSession()

    @staticmethod
    def init_default(options: strategies.Options | None = None) -> EagerSession:
        """Makes the process's default session with other options than the default ones.

        To be called once, before anything uses the default session: RuntimeError else.
        """
        global _default
        with _default_lock:
            if _default is not None:
                raise RuntimeError("Default eager session is already initialized")
            _default = (options or strategies.Options()).build()
            _default._become_default()
            return _default

    @staticmethod
    def get_default() -> EagerSession:
        """The process's default session, made with default options when first asked for."""
        global _default
        with _default_lock:
            if _default is None:
                _default = EagerSession()
                _default._become_default()
            return _default

    @staticmethod
    def default_if_made() -> EagerSession | None:
        """The process's default session, or None before its first use."""
        return _default

    @staticmethod
    def current() -> EagerSession:
        """The session in which the operations of this thread are executed: the innermost that was entered, else the
        default one."""
        entered = _entered.get()
        return entered[-1][0] if entered else EagerSession.get_default()

    @staticmethod
    def _outer() -> EagerSession | None:
        """What `current` was before its session was entered; None if none was entered, or the default one is not made."""
        entered = _entered.get()
        if len(entered) < 2:
            return _default if entered else None
        return entered[-2][0]

    def _other_way(self) -> EagerSession:
        """The session of the same options in which operations run the other way, asynchronously or not. It is made when
        first asked for, and closed with this one."""
        self._check_open()
        with _default_lock:
            if self._twin is None:
                self._twin = EagerSession(async_=not self._async, **self._options)
                self._twin._is_twin, self._twin._twin = True, self
            return self._twin

    def _become_default(self) -> None:
        self._is_default = True
        _core.set_default_core(self._core)

    # -- Use ---------------------------------------------------------------------------------------------------------

    @property
    def strategy(self) -> strategies.ResourceCleanupStrategy:
        """The clean-up strategy."""
        return self._strategy

    resource_cleanup_strategy = strategy

    @property
    def device_placement_policy(self) -> strategies.DevicePlacementPolicy:
        """The device policy."""
        return self._policy

    @property
    def is_async(self) -> bool:
        """Whether operations run on a thread of the session."""
        return self._async

    @property
    def closed(self) -> bool:
        """Whether the session was closed."""
        return self._core.closed

    @property
    def pending_ops(self) -> int:
        """Operations of an asynchronous session that have not run yet."""
        return self.stats().pending_ops

    def op_builder(self, type: str, name: str) -> EagerOperationBuilder:
        """A builder of one operation of the op `type`. A safe point.

        SessionClosedError if the session is closed; UnimplementedError for ops that exist in graphs only;
        InvalidArgumentError if there is no such op.
        """
        self._safe_point()
        self._check_open()
        return EagerOperationBuilder(self, type, name)

    def _check_open(self) -> None:
        if not self._core.open:
            self._core.clear_error()  # raises SessionClosedError, but not in threads that the process's end cuts off

    def _safe_point(self) -> None:
        self._core.safe_point()
        if self._core.retained_warning_due():
            retained = self.stats().retained_bytes
            log.logger().warning(
                "An eager session made at %s keeps %d bytes that the program no longer refers to until it is closed",
                self._site,
                retained,
            )

    def collect(self) -> int:
        """Frees what is queued now; how many values. Nothing under ON_SESSION_CLOSE."""
        return self._core.collect()

    def trim(self) -> int:
        """Frees what is queued now, and gives the memory that waits for new values back to the system; how many bytes.

        May take long. Idle memory goes back by itself after some seconds, but for 16 MiB.
        """
        return self._core.trim()

    def flush(self, timeout: float | None = None) -> None:
        """Waits until all that was queued before the call is freed. DeadlineExceededError after `timeout` seconds."""
        self._core.flush(_milliseconds(timeout))

    def synchronize(self, timeout: float | None = None) -> None:
        """Waits until all operations have run, and raises the error of the first that failed.

        DeadlineExceededError after `timeout` seconds. Nothing to wait for in sessions that are not asynchronous.
        """
        self._check_open()
        self._core.synchronize(_milliseconds(timeout))

    def clear_error(self) -> None:
        """After an operation of an asynchronous session failed: later ones may run again."""
        self._core.clear_error()

    def scope(self) -> EagerScope:
        """A scope whose body's values are freed at its end, but for those that are detached from it."""
        self._check_open()
        return EagerScope(self)

    def reset(self, timeout: float | None = None) -> None:
        """Frees everything as close does, but the session stays open."""
        if self._twin is not None and not self._is_twin:
            self._twin.reset(timeout)
        self._core.reset(_milliseconds(timeout))

    # -- Figures -----------------------------------------------------------------------------------------------------

    def stats(self) -> SessionStats:
        """Figures of the session's values, see SessionStats. Takes no lock."""
        return self._core.stats()

    def live_tensors(self, by: str | None = None) -> Any:
        """What the program holds: a list of (shape, dtype, bytes, op, site), or with `by` "op" or "site" a dictionary of
        counts and bytes. Sites are known to sessions with `track_sites` only. ValueError for another `by`."""
        return live_tensors(self._core, by)

    def live_exports(self) -> list[LiveExport]:
        """What is held outside of the memory of values, also of a closed session: a list of (kind, shape, dtype, bytes,
        op, site), newest first. Op and site are known of sessions with `track_sites` only."""
        return live_exports(self._core)

    # -- End ---------------------------------------------------------------------------------------------------------

    def close(self, timeout: float | None = None, cancel_pending: bool = False, strict: bool = False) -> None:
        """Waits for operations that run, then frees every value. Closing a closed session does nothing.

        Args:
          timeout: seconds to wait; DeadlineExceededError then, with nothing freed, and close may be called again.
          cancel_pending: operations of an asynchronous session that have not begun are dropped.
          strict: RuntimeError (after all is freed) if arrays that were exported are still held; its message lists them.

        RuntimeError for the default session, which the process's end closes.
        """
        if self._is_default:
            raise RuntimeError("Default eager session cannot be closed")
        self._close(timeout, cancel_pending, strict)

    def _close(self, timeout: float | None = None, cancel_pending: bool = False, strict: bool = False) -> None:
        if self._track_sites and self._core.open:
            leak_report(self._core)
        if self._twin is not None and not self._is_twin:
            self._twin._close(timeout, cancel_pending)
        self._core.close(_milliseconds(timeout), cancel_pending)
        held = held_exports(self._core) if strict else ""
        if held:
            raise RuntimeError(held)

    def __enter__(self) -> EagerSession:
        self._check_open()
        entered = _entered.get()
        if any(session is self for session, _ in entered):
            raise RuntimeError("The eager session was entered already")
        self._push()
        return self

    def _push(self) -> int:
        """Makes it the thread's session; returns how many were entered before."""
        entered = _entered.get()
        _entered.set((*entered, (self, execution.follow_session())))
        _entered_core.set(self._capsule)
        return len(entered)

    @staticmethod
    def _pop_to(depth: int) -> None:
        while len(_entered.get()) > depth:
            EagerSession._pop()

    @staticmethod
    def _pop() -> None:
        entered = _entered.get()
        execution.leave_mode(entered[-1][1])
        _entered.set(entered[:-1])
        _entered_core.set(entered[-2][0]._capsule if len(entered) > 1 else None)

    def __exit__(self, exc_type: Any, exc: Any, traceback: Any) -> None:
        entered = _entered.get()
        if len(entered) > 1 and entered[-1][0] is self._twin:  # `set_execution_mode` in the body
            self._pop()
            entered = entered[:-1]
        if not entered or entered[-1][0] is not self:
            raise RuntimeError("Eager sessions must be left in the reverse order of being entered")
        self._pop()
        if self._is_default or self._is_twin:
            return
        try:
            self._close()
        except Exception as error:
            if exc is None:
                raise
            error.__context__ = None  # else a circle: the body's error is on its way
            _innermost_context(exc).__context__ = error

    def __del__(self) -> None:
        core = getattr(self, "_core", None)
        if core is not None and not core.closed and not self._is_default:
            try:
                if not self._is_twin:
                    self._warn_unclosed()  # raises where warnings are errors
            finally:
                core.abandon()

    def _warn_unclosed(self) -> None:
        warnings.warn(f"An eager session made at {self._site} was not closed", ResourceWarning, stacklevel=3)

    def __repr__(self) -> str:
        return f"<tf.EagerSession {self.stats().state}, {self._strategy.name}{', async' if self._async else ''}>"


def _innermost_context(error: BaseException) -> BaseException:
    """The error at the end of the chain of those during which `error` came."""
    while error.__context__ is not None:
        error = error.__context__
    return error


def _milliseconds(seconds: float | None) -> int:
    return -1 if seconds is None else max(0, round(min(seconds * 1000, 2.0**62)))


def open_sessions() -> list[EagerSession]:
    """All sessions of the process that are open."""
    return [session for session in list(_made) if session._core.open]


def forget_default() -> None:
    """Closes the default session, if there is one: the next that is asked for is new."""
    global _default
    with _default_lock:
        session, _default = _default, None
        if session is not None:
            session._is_default = False
            _core.set_default_core(None)
    if session is not None:
        session._close()


def end_at_exit() -> None:
    """Closes all sessions at the process's end, with a ResourceWarning for those that the program should have closed.

    Operations that are still running get a little time, all together; the values of a session with longer ones are left
    to the process's end.
    """
    _core.end_eager_threads()
    until = time.monotonic() + _SECONDS_AT_EXIT
    for session in open_sessions():
        if not session._is_default and not session._is_twin:
            session._warn_unclosed()
        try:
            session._close(max(0.0, until - time.monotonic()))
        except DeadlineExceededError:
            _left_behind.append(session)


def _users_line() -> str:
    return str(UsersSite(users_frame()))


_core.set_session_variable(_entered_core)
_core.set_stats_types(SessionStats, ReaperStats, SafePointStats)
_core.set_eager_reports(
    _users_line, lambda text: log.logger().warning("%s", text), lambda text: log.logger().info("%s", text)
)
