"""`tf.train.Coordinator`: threads that stop together, and hand on the first error."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework import errors_impl, tf_logging

_LOOK = 0.05  # seconds after which `join` looks again whether a stop was requested


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
                tf_logging.info("Error reported to Coordinator: %s, %s", type(error), error)
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
        """An error of the block requests the stop, and goes no further."""
        try:
            yield
        except BaseException as error:
            self.request_stop(error)

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
        for thread in waiting:
            while thread.is_alive() and not self._stop_event.is_set():
                thread.join(_LOOK)
        end = time.monotonic() + stop_grace_period_secs
        for thread in waiting:
            if thread.is_alive():
                thread.join(max(0.0, end - time.monotonic()))
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
