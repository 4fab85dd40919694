"""SIGTERM and Ctrl-C as the end of a training that saves what it has reached."""

from __future__ import annotations

import os
import signal
import threading
import time
import weakref
from collections.abc import Callable
from types import FrameType
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework import tf_logging
from tinytf.monitoring.stop_state import StopState

_SESSIONS = "tinytf.monitoring.monitored_session"  # the module whose methods a program calls
_RUNS = {_SESSIONS, "tinytf.monitoring.coordinated_session"}  # the latter's within step functions
_CLOSES = ("__exit__", "close", "_close")
_FINISH_SECS: dict[int, float] = {signal.SIGINT: 0.1, signal.SIGTERM: 5.0}
_UNHANDLED: dict[int, Any] = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}


@tf_export("experimental.Terminated")
class Terminated(SystemExit):
    """A monitored session was ended by SIGTERM, and has saved: the process ends with status 143, as shells say it."""

    def __init__(self) -> None:
        super().__init__(128 + signal.SIGTERM)


class StopSignals:
    """Handles SIGINT and SIGTERM while a monitored session lives, where the program has no handlers of its own.

    The first signal lets a `run` of the main thread come to its end, hooks included, if that takes 5 seconds at most (SIGTERM)
    or 0.1 (Ctrl-C); else it is cut. The block of the session then ends by KeyboardInterrupt or `Terminated`, before which
    hooks have their end: `should_stop` is True, and the next `run` raises that. Outside of `run` it is raised at once, and so
    it is by a second signal. A signal that comes while the session ends does what it does without these handlers. Where
    several sessions live, a signal is for all of them, and one error ends their blocks.

    For the main thread, which Python runs handlers on; elsewhere signals are left alone.
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
        """What comes from here on is not for this session: it ends, and must not wait for another signal to do so."""
        self.ends = True
        if self.is_cut:
            tf_logging.warning("A step was cut: it may have updated some variables, and others not.")

    def restore(self) -> None:
        """Puts the handlers back that were there, if no other session needs these, and unless somebody has put others there
        since."""
        _handlers.remove(self)


class _Handlers:
    """The handlers of the process, for all sessions. Signals are handled, and handlers changed, on the main thread."""

    def __init__(self) -> None:
        self._sessions: list[weakref.ref[StopSignals]] = []  # one that is forgotten is not kept by its handlers
        self._insisted: list[StopSignals] | None = None  # whom a signal is for that comes again
        self._lock = threading.Lock()  # of what makes a signal come again

    def add(self, session: StopSignals) -> None:
        self._sessions = [*(ref for ref in self._sessions if ref() is not None), weakref.ref(session)]
        for number, handler in _UNHANDLED.items():
            if signal.getsignal(number) is handler:
                signal.signal(number, self._handle)

    def remove(self, session: StopSignals) -> None:
        session.ends = True
        self._sessions = [ref for ref in self._sessions if ref() not in (None, session)]
        # Elsewhere than on the main thread they stay, and do what is done without them.
        if self._live() or threading.current_thread() is not threading.main_thread():
            return
        with self._lock:
            for number, handler in _UNHANDLED.items():
                if signal.getsignal(number) == self._handle:
                    signal.signal(number, handler)

    def _live(self) -> list[StopSignals]:
        """Those of this process that do not end yet."""
        process = os.getpid()
        sessions = [ref() for ref in self._sessions]
        return [each for each in sessions if each is not None and not each.ends and each.process == process]

    def _handle(self, number: int, frame: FrameType | None) -> None:
        insisted, self._insisted = self._insisted, None
        if insisted is not None and any(each.ends for each in insisted):
            return  # it has come too late, and nobody has sent it
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
        """Sends the signal again if the step goes on."""
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
    """Whether the main thread is within `run` of a monitored session."""
    while frame is not None:
        if frame.f_code.co_name == "run" and frame.f_globals.get("__name__") in _RUNS:
            return True
        frame = frame.f_back
    return False


def _begins_to_end(frame: FrameType | None) -> bool:
    """Whether the main thread is about to end a session: what is raised there would leave that as it is."""
    while frame is not None:
        if frame.f_code.co_name in _CLOSES and frame.f_globals.get("__name__") == _SESSIONS:
            signals = frame.f_locals["self"]._signals
            return signals is not None and not signals.ends
        frame = frame.f_back
    return False
