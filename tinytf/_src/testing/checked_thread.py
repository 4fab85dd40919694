"""`CheckedThread`: a thread whose exceptions fail the test that made it."""

from __future__ import annotations

import threading
import unittest
from collections.abc import Callable
from typing import Any


class CheckedThread:
    """A thread that stores the exception that ended it."""

    def __init__(self, test: unittest.TestCase, target: Callable[..., Any], args: Any, kwargs: Any) -> None:
        self._test = test
        self._call = (target, args, kwargs)
        self._thread = threading.Thread(target=self._run)
        self._error: BaseException | None = None
        self._joined = False

    def _run(self) -> None:
        target, args, kwargs = self._call
        try:
            target(*args, **kwargs)
        except BaseException as e:  # stored for the thread that calls join
            self._error = e

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def join(self) -> None:
        """Waits for the end of the thread; fails the test if it ended with an exception."""
        self._joined = True
        self._thread.join()
        if self._error is not None:
            self._test.fail(f"Error in checkedThread: {self._error!r}")

    def is_alive(self) -> bool:
        """Returns whether the thread is running."""
        return self._thread.is_alive()

    def check_termination(self) -> None:
        """Fails the test if the thread is still running, or if it failed without being joined."""
        if self.is_alive():
            self._test.fail("A checkedThread was not terminated before the test ended.")
        if not self._joined and self._error is not None:
            self.join()
