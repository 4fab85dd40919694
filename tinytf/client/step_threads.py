"""Threads of a session that run steps for coroutines."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tinytf.client.base_session import BaseSession

_THREADS = 32


def submit_step(session: BaseSession, *args: Any) -> Future[Any]:
    """Calls `session._run_cancellable(*args)` on one of the session's threads, which it gets here if it has none."""
    life = session._life
    threads = life.threads
    if threads is None:
        threads = life.__dict__.setdefault("threads", StepThreads())  # one thread's wins
    if not threads.are_here():
        threads = life.threads = StepThreads()
    if (
        session._steps.closed
    ):  # looked at after the threads were set: a close() in between either sees them or is seen here
        threads.join()
        raise RuntimeError("Attempted to use a closed Session.")
    return threads.submit(_run_step, [session], *args)


def _run_step(box: list[BaseSession], *args: Any) -> Any:
    return box.pop()._run_cancellable(*args)  # popped: who waits for the result may be the last to hold the session


class StepThreads:
    """Up to 32 threads named `SessionRunAsync_N`, started when there is work for them.

    Daemons, unlike those of `concurrent.futures`: a step that waits for ever does not keep the program from ending.
    """

    def __init__(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._ended = False
        self._work: SimpleQueue[Any] = SimpleQueue()  # shared with the threads, which do not hold this object
        self._idle = threading.Semaphore(0)  # at least as many as threads that wait for work

    def __del__(self) -> None:
        self._end()

    def are_here(self) -> bool:
        """False in a forked child: its parent's threads are not there."""
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
        """Waits for the threads to end, when all that was submitted has. One of the threads itself does not wait."""
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
        del item, future, work, args  # an idle thread holds nothing
        idle.release()
