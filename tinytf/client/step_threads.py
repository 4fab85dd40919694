"""Threads of a session that run steps for coroutines."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tinytf.client.session_runs import SessionRuns

_THREADS = 32


def submit_step(session: SessionRuns, *args: Any) -> Future[Any]:
    """Calls `session._run_cancellable(*args)` on one of the session's threads, which it gets here if it has none."""
    threads = session._step_threads
    if threads is None:
        threads = session.__dict__.setdefault("_step_threads", StepThreads())  # one thread's wins
    if not threads.are_here():
        threads = session._step_threads = StepThreads()
    if session._closed:  # looked at after the threads were set: a close() in between either sees them or is seen here
        threads.join()
        raise RuntimeError("Attempted to use a closed Session.")
    return threads.submit(_run_step, [session], *args)


def _run_step(box: list[SessionRuns], *args: Any) -> Any:
    return box.pop()._run_cancellable(*args)  # popped: who waits for the result may be the last to hold the session


class StepThreads:
    """Up to 32 threads named `SessionRunAsync_N`, started when there is work for them."""

    def __init__(self) -> None:
        workers: set[int] = set()
        self._workers = workers
        self._process = os.getpid()
        self._executor = ThreadPoolExecutor(
            _THREADS, thread_name_prefix="SessionRunAsync", initializer=lambda: workers.add(threading.get_ident())
        )

    def are_here(self) -> bool:
        """False in a forked child: its parent's threads are not there."""
        return self._process == os.getpid()

    def submit(self, work: Any, *args: Any) -> Future[Any]:
        """Calls `work(*args)` on one of the threads. RuntimeError after `join`."""
        return self._executor.submit(work, *args)

    def join(self) -> None:
        """Waits for the threads to end, when all that was submitted has. One of the threads itself does not wait."""
        if self.are_here():
            self._executor.shutdown(wait=threading.get_ident() not in self._workers)
