"""`tf.train.LooperThread`: a thread that calls a function again and again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from tinytf.exports import tf_export
from tinytf.training.coordinator import Coordinator


@tf_export("train.LooperThread")
class LooperThread(threading.Thread):
    """A daemon that a coordinator knows and stops. Calls `target`, or `run_loop` of a subclass, each so many seconds, or
    without a break if `timer_interval_secs` is None. An error requests the stop."""

    def __init__(
        self,
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any] | None = None,
        args: Any = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__(daemon=True)
        self._coord = coord
        self._timer_interval_secs = timer_interval_secs
        self._loop_target = target
        self._loop_args = args or ()
        self._loop_kwargs = kwargs or {}
        coord.register_thread(self)

    @staticmethod
    def loop(
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any],
        args: Any = None,
        kwargs: dict[str, Any] | None = None,
    ) -> LooperThread:
        """Starts such a thread, and returns it."""
        looper = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    def run(self) -> None:
        """What the thread does."""
        with self._coord.stop_on_exception():
            self.start_loop()
            if self._timer_interval_secs is None:
                while not self._coord.should_stop():
                    self.run_loop()
            else:
                due = time.monotonic()
                while not self._coord.wait_for_stop(max(0.0, due - time.monotonic())):
                    due += self._timer_interval_secs
                    self.run_loop()
            self.stop_loop()

    def start_loop(self) -> None:
        """Called when the thread starts: for subclasses."""

    def stop_loop(self) -> None:
        """Called when the thread stops: for subclasses."""

    def run_loop(self) -> None:
        """Called again and again: for subclasses. Calls `target`."""
        if self._loop_target:
            self._loop_target(*self._loop_args, **self._loop_kwargs)

    def isAlive(self) -> bool:
        """`is_alive()`, by the name that it had in Python 2."""
        return self.is_alive()
