"""SIGTERM and Ctrl-C as the end of a training that saves what it has reached."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework import tf_logging
from tinytf.monitoring.stop_state import StopState

_RUNS = "tinytf.monitoring.monitored_session"  # the module whose `run` a program calls
_FINISH_SECS: dict[int, float] = {signal.SIGINT: 0.1, signal.SIGTERM: 5.0}
_UNHANDLED = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}


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
    it is by a second signal. A signal that comes while the session ends does what it does without these handlers.

    For the main thread, which Python runs handlers on; elsewhere signals are left alone.
    """

    def __init__(self, stop: StopState, steps_run: Callable[[], bool]) -> None:
        self._stop = stop
        self._steps_run = steps_run
        self._before: dict[int, Any] = {}  # handlers by signal
        self._ends = False
        self._is_cut = False
        self._process = os.getpid()

    def begin(self) -> None:
        """Installs the handlers."""
        if threading.current_thread() is not threading.main_thread():
            return
        for number, handler in _UNHANDLED.items():
            if signal.getsignal(number) is handler:
                self._before[number] = signal.signal(number, self._handle)

    def end(self) -> None:
        """What comes from here on is not for this session: it ends, and must not wait for another signal to do so."""
        self._ends = True
        if self._is_cut:
            tf_logging.warning("A step was cut: it may have updated some variables, and others not.")

    def restore(self) -> None:
        """Puts the handlers back that were there, unless somebody has put others there since."""
        if threading.current_thread() is not threading.main_thread():
            return
        for number, before in self._before.items():
            if signal.getsignal(number) == self._handle:
                signal.signal(number, before)
        self._before.clear()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._ends or os.getpid() != self._process:
            self._leave_to_others(number)
            return
        first = self._stop.error is None
        if first:
            error = KeyboardInterrupt() if number == signal.SIGINT else Terminated()
            self._stop.end_by(error, f"signal {signal.Signals(number).name}")
            if _is_in_run(frame):
                self._insist_later(number)
                return
        else:
            self._is_cut = self._is_cut or self._steps_run()
        assert self._stop.error is not None
        raise self._stop.error

    def _insist_later(self, number: int) -> None:
        """Sends the signal again if the step goes on."""
        process, end = self._process, time.monotonic() + _FINISH_SECS[number]

        def insist() -> None:
            while time.monotonic() < end:
                time.sleep(0.01)
                if self._ends:
                    return
            if not self._ends and os.getpid() == process:
                os.kill(process, number)

        threading.Thread(target=insist, name="tinytf-insists", daemon=True).start()

    def _leave_to_others(self, number: int) -> None:
        before = self._before.get(number, _UNHANDLED[signal.Signals(number)])
        if callable(before):
            before(number, None)
        else:
            signal.signal(number, before)
            signal.raise_signal(number)


def _is_in_run(frame: FrameType | None) -> bool:
    """Whether the main thread is within `run` of a monitored session."""
    while frame is not None:
        if frame.f_code.co_name == "run" and frame.f_globals.get("__name__") == _RUNS:
            return True
        frame = frame.f_back
    return False
