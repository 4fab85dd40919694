"""Threads of a session that run the steps of coroutines."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any

_THREADS = 32


class StepThreads:
    """Up to 32 threads named `SessionRunAsync_N`, started on demand.

    They are daemons, unlike the threads of `concurrent.futures`: a step that waits forever must not keep the program
    from ending.
    """

    def __init__(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._ended = False
        self._work: SimpleQueue[Any] = SimpleQueue()  # shared with the threads, which do not hold this object
        self._idle = threading.Semaphore(0)  # at least as many as idle threads

    def __del__(self) -> None:
        self._end()

    def are_here(self) -> bool:
        """Returns False in a forked child, where the parent's threads do not exist."""
        return self._process == os.getpid()

    def submit(self, work: Any, *args: Any) -> Future[Any]:
        """Calls `work(*args)` on one of the threads. RuntimeError after `join`."""
        future: Future[Any] = Future()
        with self._lock:
            if self._ended:
                raise RuntimeError("Attempted to use a closed Session.")
            self._work.put((future, work, args))
            if not self._idle.acquire(blocking=False) and len(self._threads) < _THREADS:
                name = f"SessionRunAsync_{len(self._threads)}"
                thread = threading.Thread(target=_work_off, args=(self._work, self._idle), name=name, daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # no more threads
                    future.cancel()
                    raise
                self._threads.append(thread)
        return future

    def join(self) -> None:
        """Waits for the threads to finish all submitted work and end. When called on one of the threads, it does not
        wait."""
        if not self.are_here():
            return
        with self._lock:
            self._end()
        if threading.current_thread() not in self._threads:
            for thread in self._threads:
                thread.join()

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            for _ in self._threads:
                self._work.put(None)


def _work_off(queue: SimpleQueue[Any], idle: threading.Semaphore) -> None:
    while (item := queue.get()) is not None:
        future, work, args = item
        if future.set_running_or_notify_cancel():
            try:
                result = work(*args)
            except BaseException as e:
                future.set_exception(e)
            else:
                future.set_result(result)
                del result
        del item, future, work, args  # an idle thread must not keep references
        idle.release()
