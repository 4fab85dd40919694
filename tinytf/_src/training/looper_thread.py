"""`tf.train.LooperThread`: a thread that calls a function repeatedly."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.training.coordinator import Coordinator


@tf_export("train.LooperThread")
class LooperThread(threading.Thread):
    """A daemon thread that calls a function repeatedly until its coordinator stops; an exception requests the stop.

    Args:
      coord: Coordinator, which registers the thread.
      timer_interval_secs: float, seconds between the starts of two calls; None means without a pause.
      target: optional function to call; alternatively a subclass overrides `run_loop`.
      args: optional tuple of arguments of `target`.
      kwargs: optional dict of keyword arguments of `target`.

    Raises:
      ValueError: if `coord` is not a Coordinator.
    """

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
        """Creates and starts a LooperThread.

        Args:
          coord, timer_interval_secs, target, args, kwargs: as in the constructor.

        Returns:
          The thread.
        """
        looper = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    def run(self) -> None:
        """The body of the thread; called by `start`."""
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
        """Called once when the thread starts; for subclasses."""

    def stop_loop(self) -> None:
        """Called once when the thread stops; for subclasses."""

    def run_loop(self) -> None:
        """Called repeatedly; calls `target`. Subclasses may override it."""
        if self._loop_target:
            self._loop_target(*self._loop_args, **self._loop_kwargs)

    def isAlive(self) -> bool:
        """Deprecated alias of `is_alive`, the name in Python 2."""
        return self.is_alive()
