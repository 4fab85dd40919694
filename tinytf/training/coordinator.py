"""`tf.train.Coordinator`: threads that stop together, and hand on the first error."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework import errors_impl, tf_logging

_FIRST_LOOK, _LAST_LOOK = 0.0005, 0.05  # seconds between two looks of `join` at its threads: each twice as many


@tf_export("train.Coordinator")
class Coordinator:
    """Ends threads: any of them requests the stop, all look for it, and `join` waits for them and raises the first error that
    was handed to `request_stop`. Errors of the given classes, by default OutOfRangeError, end the threads without being one.

    For any number of threads at a time.
    """

    def __init__(self, clean_stop_exception_types: Iterable[type[BaseException]] | None = None) -> None:
        types = (errors_impl.OutOfRangeError,) if clean_stop_exception_types is None else clean_stop_exception_types
        self._clean_stop_exception_types = tuple(types)
        self._lock = threading.Lock()
        self._stop_event = threading.Event()
        self._error: BaseException | None = None
        self._joined = False
        self._registered: set[threading.Thread] = set()

    def _real_error(self, ex: Any) -> BaseException | None:
        """The error of an exception, or of what `sys.exc_info()` returns; None if it just ends the threads."""
        if isinstance(ex, tuple):
            if len(ex) != 3 or not isinstance(ex[1], BaseException):
                text = "ex must be a tuple or sys.exc_info must return the current exception: "
                raise ValueError(f"{text}{ex}")
            ex = ex[1]
        if ex is not None and not isinstance(ex, BaseException):
            raise TypeError(f"ex must be an exception, or what sys.exc_info() returns, not {ex!r}")
        return None if isinstance(ex, self._clean_stop_exception_types) else ex

    def request_stop(self, ex: Any = None) -> None:
        """Asks the threads to stop. The first error that is handed over, an exception or what `sys.exc_info()` returns, is what
        `join` will raise; after the join it is raised here."""
        with self._lock:
            error = self._real_error(ex)
            if self._joined:
                if error is not None:
                    raise error
                return
            if self._stop_event.is_set():
                return
            if error is not None and self._error is None:
                _tell(error, with_traceback=isinstance(ex, tuple))
                self._error = error
            self._stop_event.set()

    def clear_stop(self) -> None:
        """Forgets the stop, the error and the join."""
        with self._lock:
            self._joined = False
            self._error = None
            self._stop_event.clear()

    def should_stop(self) -> bool:
        """Whether a stop was requested."""
        return self._stop_event.is_set()

    @contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """An error of the block requests the stop, and goes no further. The log has its traceback."""
        try:
            yield
        except BaseException:
            self.request_stop(sys.exc_info())

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Waits until a stop is requested, at most so many seconds; whether one was."""
        return self._stop_event.wait(timeout)

    def register_thread(self, thread: threading.Thread) -> None:
        """A thread that `join` waits for."""
        with self._lock:
            self._registered.add(thread)

    def _threads(self) -> list[threading.Thread]:
        """The registered ones."""
        with self._lock:
            return list(self._registered)

    def join(
        self,
        threads: Iterable[threading.Thread] | None = None,
        stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Waits for these and the registered threads; so many seconds only once a stop is requested. Raises the error that was
        handed over, else RuntimeError if threads are left, unless `ignore_live_threads`."""
        with self._lock:
            waiting = list(self._registered.union(threads or ()))
        _wait_while_alive(waiting, None, self._stop_event.wait)
        _wait_while_alive(waiting, stop_grace_period_secs, time.sleep)
        left = [thread.name for thread in waiting if thread.is_alive()]
        with self._lock:
            self._joined = True
            self._registered = set()
            if self._error is not None:
                raise self._error
        if left and ignore_live_threads:
            tf_logging.info("Coordinator stopped with threads still running: %s", " ".join(left))
        elif left:
            raise RuntimeError(f"Coordinator stopped with threads still running: {' '.join(left)}")

    @property
    def joined(self) -> bool:
        """Whether the threads were joined."""
        return self._joined

    def raise_requested_exception(self) -> None:
        """Raises the error that was handed over, if there is one."""
        with self._lock:
            if self._error is not None:
                raise self._error


def _tell(error: BaseException, with_traceback: bool) -> None:
    """What TensorFlow logs of an error: that which `sys.exc_info()` returned comes with its traceback."""
    if with_traceback:
        found = (type(error), error, error.__traceback__)
        tf_logging.info("Error reported to Coordinator: %s", error, exc_info=found)
    else:
        tf_logging.info("Error reported to Coordinator: %s, %s", type(error), error)


def _wait_while_alive(
    threads: list[threading.Thread], seconds: float | None, pause: Callable[[float], bool | None]
) -> None:
    """Until all threads have ended, the time is over, or `pause`, which waits for some seconds, returns True.

    `Thread.join` is not for that: before Python 3.13 a thread whose join Ctrl-C has ended counts as ended, and is not
    waited for again."""
    end = None if seconds is None else time.monotonic() + seconds
    step = _FIRST_LOOK
    for thread in threads:
        while thread.is_alive():
            left = step if end is None else min(step, end - time.monotonic())
            if left <= 0 or pause(left):
                return
            step = min(2 * step, _LAST_LOOK)
