"""`tf.train.Coordinator`: stops threads together and propagates their first error."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.logs import tf_logging

# Shortest and longest interval in seconds at which `join` polls its threads; the interval doubles each time.
_FIRST_LOOK, _LAST_LOOK = 0.0005, 0.05


@tf_export("train.Coordinator")
class Coordinator:
    """Coordinates the termination of threads. Thread-safe.

    Any thread requests a stop, all threads check `should_stop`, and `join` waits for them and raises the first reported
    error.

    Args:
      clean_stop_exception_types: optional exception classes that request a stop without being an error; defaults to
        OutOfRangeError.

    Example:
      coord = tf.train.Coordinator()
      threads = [threading.Thread(target=run, args=(coord,)) for _ in range(4)]
      for thread in threads: thread.start()
      coord.join(threads)
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
        """Returns the exception of an exception or of a `sys.exc_info()` tuple; None if it is a clean stop."""
        if isinstance(ex, tuple):
            if len(ex) != 3 or not isinstance(ex[1], BaseException):
                text = "ex must be a tuple or sys.exc_info must return the current exception: "
                raise ValueError(f"{text}{ex}")
            ex = ex[1]
        if ex is not None and not isinstance(ex, BaseException):
            raise TypeError(f"ex must be an exception or the result of sys.exc_info(), not {ex!r}")
        return None if isinstance(ex, self._clean_stop_exception_types) else ex

    def request_stop(self, ex: Any = None) -> None:
        """Requests that the threads stop.

        Args:
          ex: optional exception or `sys.exc_info()` tuple. The first reported error is raised by `join`; after the join
            it is raised here.

        Raises:
          TypeError, ValueError: if `ex` is neither.
        """
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
        """Resets the stop request, the error and the joined state."""
        with self._lock:
            self._joined = False
            self._error = None
            self._stop_event.clear()

    def should_stop(self) -> bool:
        """Returns whether a stop was requested."""
        return self._stop_event.is_set()

    @contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """Context manager that reports an exception of its body to `request_stop`, with traceback, and swallows it."""
        try:
            yield
        except BaseException:
            self.request_stop(sys.exc_info())

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Waits until a stop is requested.

        Args:
          timeout: optional float, maximum number of seconds to wait; None means no limit.

        Returns:
          Whether a stop was requested.
        """
        return self._stop_event.wait(timeout)

    def register_thread(self, thread: threading.Thread) -> None:
        """Registers a thread for which `join` waits.

        Args:
          thread: threading.Thread.
        """
        with self._lock:
            self._registered.add(thread)

    def _threads(self) -> list[threading.Thread]:
        """Returns the registered threads."""
        with self._lock:
            return list(self._registered)

    def join(
        self,
        threads: Iterable[threading.Thread] | None = None,
        stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Waits for threads to terminate and raises the first reported error.

        Args:
          threads: optional threads in addition to the registered ones.
          stop_grace_period_secs: float, seconds to wait after a stop was requested.
          ignore_live_threads: bool, whether threads that are still alive then are only logged.

        Raises:
          RuntimeError: if threads are still alive after the grace period, unless `ignore_live_threads` is True.
        """
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
        """Whether `join` has completed."""
        return self._joined

    def raise_requested_exception(self) -> None:
        """Raises the reported error, if there is one."""
        with self._lock:
            if self._error is not None:
                raise self._error


def _tell(error: BaseException, with_traceback: bool) -> None:
    """Logs an error as TensorFlow does: with its traceback if it was reported as a `sys.exc_info()` tuple."""
    if with_traceback:
        found = (type(error), error, error.__traceback__)
        tf_logging.info("Error reported to Coordinator: %s", error, exc_info=found)
    else:
        tf_logging.info("Error reported to Coordinator: %s, %s", type(error), error)


def _wait_while_alive(
    threads: list[threading.Thread], seconds: float | None, pause: Callable[[float], bool | None]
) -> None:
    """Waits until all threads have terminated, the time is over, or `pause`, which waits some seconds, returns True.

    Polls instead of calling `Thread.join`: before Python 3.13 a thread whose join is interrupted by Ctrl-C counts as
    terminated and is not waited for again.
    """
    end = None if seconds is None else time.monotonic() + seconds
    step = _FIRST_LOOK
    for thread in threads:
        while thread.is_alive():
            left = step if end is None else min(step, end - time.monotonic())
            if left <= 0 or pause(left):
                return
            step = min(2 * step, _LAST_LOOK)
