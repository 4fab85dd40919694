"""`tf.EagerSession`: an environment in which operations are executed, and whose values are freed by a chosen strategy."""

from __future__ import annotations

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
from tinytf.exports import tf_export
from tinytf.framework import log, placement_log
from tinytf.framework.errors_impl import DeadlineExceededError
from tinytf.framework.process_end import at_process_end
from tinytf.framework.users_site import UsersSite, users_frame

_default_lock = threading.Lock()
os.register_at_fork(after_in_child=_default_lock._at_fork_reinit)  # type: ignore[attr-defined]
_default: EagerSession | None = None
_made: weakref.WeakValueDictionary[int, EagerSession] = weakref.WeakValueDictionary()  # by the address
_left_behind: list[EagerSession] = []  # at the process's end
_SECONDS_AT_EXIT = 0.5  # that the process's end waits for operations


@tf_export("EagerSession")
class EagerSession:
    """Executes operations as they are built, and owns the values that they yield.

    Close it, or use it in a `with` statement: then all its values are freed, whatever the strategy; arrays that were
    exported to NumPy or DLPack stay valid. In the body of the `with` statement operations are executed, in this session.
    `get_default()` is the process's own session, which is never closed by hand. Thread-safe. Cannot be copied.

    Args:
      async_: run operations on a thread of the session while the program goes on.
      device_placement_policy: what to do with inputs on another device.
      resource_cleanup_strategy: when to free what the program no longer refers to.
      config: a ConfigProto, its bytes, or None.
      The others are those of `options()`.

    Raises InvalidArgumentError for a config that cannot be read, and for marks, limits and budgets below 0 or a hard mark
    below the soft one; TypeError for flags that are no bools; RuntimeError if it is initialised again.
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
        if hasattr(self, "_frames"):
            raise RuntimeError("An eager session is initialised once")
        self._frames: list[Any] = []  # of the contexts that entered it
        self._is_default = False
        self._twin: EagerSession | None = None
        self._is_twin = False
        self._site = UsersSite(users_frame())
        strategies.check(async_=async_, track_sites=track_sites, **marks)
        self._strategy = strategies.ResourceCleanupStrategy(resource_cleanup_strategy)
        self._policy = strategies.DevicePlacementPolicy(device_placement_policy)
        options = core_options(config)
        if placement_log.wanted() is not None:
            options["log_device_placement"] = placement_log.wanted()
        self._logs_placement = bool(options.get("log_device_placement"))
        self._soft_placement = options.get("allow_soft_placement", False)
        self._core = _core.SessionCore(
            strategy=int(self._strategy),
            asynchronous=bool(async_),  # np.bool_ is one too
            device_policy=int(self._policy),
            track_sites=bool(track_sites),
            **options,
            **marks,
        )
        self._async = bool(async_)
        self._track_sites = track_sites
        self._options = {
            "device_placement_policy": device_placement_policy,
            "resource_cleanup_strategy": resource_cleanup_strategy,
            "config": config,
            "track_sites": track_sites,
            **marks,
        }
        _core.set_session_site(self._core, self._site)
        _made[id(self)] = self

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("eager sessions cannot be copied or pickled")

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
        """The session in which operations are executed here: the innermost that the Python context entered, else the
        default one."""
        return _core.entered_session() or EagerSession.get_default()

    @staticmethod
    def _outer() -> EagerSession | None:
        """What `current` was before its session was entered; None if none was entered, or the default one is not made."""
        entered = _core.entered_sessions()
        if len(entered) < 2:
            return _default if entered else None
        return entered[-2]

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
        placement_log.settle(self._logs_placement)
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
          cancel_pending: operations that wait, for example in `dequeue`, are cancelled, and those of an asynchronous
            session that have not begun are dropped; also those that another call of close waits for already.
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
        if any(session is self for session in _core.entered_sessions()):
            raise RuntimeError("The eager session was entered already")
        self._push()
        return self

    def _push(self) -> int:
        """Makes it the context's session; returns how many were entered before."""
        before = len(_core.entered_sessions())
        self._frames.append(_core.enter_session(self, self._core))
        return before

    def _pop(self) -> None:
        """Leaves what was entered last here; else, as a generator may that ends elsewhere, what was entered last at all."""
        frames = [frame for frame in self._frames if _core.has_frame(frame)] or self._frames
        frame = frames[-1]
        self._frames.remove(frame)
        _core.leave_frame(frame)

    @staticmethod
    def _pop_to(depth: int) -> None:
        while len(entered := _core.entered_sessions()) > depth:
            entered[-1]._pop()

    def __exit__(self, exc_type: Any, exc: Any, traceback: Any) -> None:
        if not self._frames:
            raise RuntimeError("The eager session was not entered")
        twin = self._twin
        if twin is not None and _core.entered_session() is twin:  # `set_execution_mode` in the body
            twin._pop()
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
        core = getattr(self, "_core", None)  # None if the constructor did not come so far
        if core is not None and not core.closed and not self._is_default:
            try:
                if not self._is_twin:
                    self._warn_unclosed()  # raises where warnings are errors
            finally:
                core.abandon()  # as the core's own object does when it goes, should this be cut short

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
    sessions = [reference() for reference in _made.valuerefs()]  # a copy, as others may add theirs
    return [session for session in sessions if session is not None and session._core.open]


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
            try:
                session._close(0.0, cancel_pending=True)  # what waits ends, and its thread: somebody may join it
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
