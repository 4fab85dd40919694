"""Makes SIGTERM and Ctrl-C end a training in order, so that its state is saved."""

from __future__ import annotations

import os
import signal
import threading
import time
import weakref
from collections.abc import Callable
from types import FrameType
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.stop_state import StopState

_SESSIONS = "tinytf._src.monitored_session.monitored_session"  # module of the methods that programs call
_RUNS = {_SESSIONS, "tinytf._src.monitored_session.coordinated_session"}  # the latter within step functions
_CLOSES = ("__exit__", "close", "_close")
_FINISH_SECS: dict[int, float] = {signal.SIGINT: 0.1, signal.SIGTERM: 5.0}
_UNHANDLED: dict[int, Any] = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}


@tf_export("experimental.Terminated")
class Terminated(SystemExit):
    """Raised when SIGTERM has ended a monitored session and its state is saved. Uncaught, it exits with status 143."""

    def __init__(self) -> None:
        super().__init__(128 + signal.SIGTERM)


class StopSignals:
    """Handles SIGINT and SIGTERM while a monitored session is open, unless the program has its own handlers.

    On the first signal, the main thread's `run` may complete, hooks included, if that takes at most 5 seconds (SIGTERM)
    or 0.1 (Ctrl-C); else it is interrupted. The session's block then ends by KeyboardInterrupt or `Terminated`, after
    the hooks' `end`: `should_stop` is True, and the next `run` raises the error. Outside of `run`, and on a second
    signal, the error is raised at once. While the session is closing, a signal has its effect without these handlers.
    With several open sessions, a signal applies to all of them, and one error ends their blocks.

    For the main thread, on which Python runs handlers; on other threads `begin` does nothing.
    """

    def __init__(self, stop: StopState, steps_run: Callable[[], bool]) -> None:
        self.stop = stop
        stop.by_signals = True
        self.steps_run = steps_run
        self.ends = False
        self.is_cut = False
        self.process = os.getpid()

    def begin(self) -> None:
        """Installs the handlers."""
        if threading.current_thread() is threading.main_thread():
            _handlers.add(self)

    def end(self) -> None:
        """Excludes this session from further signals: it is closing, which must not depend on another signal."""
        self.ends = True
        if self.is_cut:
            tf_logging.warning("A step was interrupted: it may have updated some of its variables, but not all.")

    def restore(self) -> None:
        """Restores the previous handlers, if no other session needs these and they were not replaced since."""
        _handlers.remove(self)


class _Handlers:
    """The process-wide signal handlers. Signals are handled, and handlers changed, on the main thread only."""

    def __init__(self) -> None:
        # weak, so that handlers do not keep a forgotten session alive
        self._sessions: list[weakref.ref[StopSignals]] = []
        self._insisted: list[StopSignals] | None = None  # the sessions that a repeated signal is meant for
        self._lock = threading.Lock()  # guards the repetition of a signal

    def add(self, session: StopSignals) -> None:
        self._sessions = [*(ref for ref in self._sessions if ref() is not None), weakref.ref(session)]
        for number, handler in _UNHANDLED.items():
            if signal.getsignal(number) is handler:
                signal.signal(number, self._handle)

    def remove(self, session: StopSignals) -> None:
        session.ends = True
        self._sessions = [ref for ref in self._sessions if ref() not in (None, session)]
        # On other threads they stay, and delegate to the default behavior.
        if self._live() or threading.current_thread() is not threading.main_thread():
            return
        with self._lock:
            for number, handler in _UNHANDLED.items():
                if signal.getsignal(number) == self._handle:
                    signal.signal(number, handler)

    def _live(self) -> list[StopSignals]:
        """Returns the sessions of this process that are not closing."""
        process = os.getpid()
        sessions = [ref() for ref in self._sessions]
        return [each for each in sessions if each is not None and not each.ends and each.process == process]

    def _handle(self, number: int, frame: FrameType | None) -> None:
        insisted, self._insisted = self._insisted, None
        if insisted is not None and any(each.ends for each in insisted):
            return  # a repeated signal that came too late
        live = self._live()
        if not live:
            _leave_to_others(number)
            return
        errors = [each.stop.error for each in live if each.stop.error is not None]
        error = errors[0] if errors else KeyboardInterrupt() if number == signal.SIGINT else Terminated()
        first = [each for each in live if each.stop.error is None]
        for each in first:
            each.stop.end_by(error, f"signal {signal.Signals(number).name}")
        if _begins_to_end(frame):
            return
        if first and _is_in_run(frame):
            self._insist_later(number, live)
            return
        if not first:
            for each in live:
                each.is_cut = each.is_cut or each.steps_run()
        raise error

    def _insist_later(self, number: int, sessions: list[StopSignals]) -> None:
        """Repeats the signal if the step does not end in time."""
        process, end = os.getpid(), time.monotonic() + _FINISH_SECS[number]

        def is_over() -> bool:
            return any(each.ends for each in sessions) or os.getpid() != process

        def insist() -> None:
            while time.monotonic() < end:
                time.sleep(0.01)
                if is_over():
                    return
            with self._lock:
                if not is_over():
                    self._insisted = sessions
                    os.kill(process, number)

        threading.Thread(target=insist, name="tinytf-insists", daemon=True).start()


_handlers = _Handlers()


def _leave_to_others(number: int) -> None:
    before = _UNHANDLED[number]
    if callable(before):
        before(number, None)
    else:
        signal.signal(number, before)
        signal.raise_signal(number)


def _is_in_run(frame: FrameType | None) -> bool:
    """Returns whether the main thread is within `run` of a monitored session."""
    while frame is not None:
        if frame.f_code.co_name == "run" and frame.f_globals.get("__name__") in _RUNS:
            return True
        frame = frame.f_back
    return False


def _begins_to_end(frame: FrameType | None) -> bool:
    """Returns whether the main thread is about to close a session; an exception raised there would leave it open."""
    while frame is not None:
        if frame.f_code.co_name in _CLOSES and frame.f_globals.get("__name__") == _SESSIONS:
            signals = frame.f_locals["self"]._signals
            return signals is not None and not signals.ends
        frame = frame.f_back
    return False
