"""The background thread that writes a saver's checkpoints."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable

from tinytf._src.framework.logs import tf_logging

_Work = Callable[[], object]


class SaveThread:
    """Writes one checkpoint at a time, on a thread named `tinytf-saver` that ends afterwards. Thread-safe.

    An error is raised once, by the next call. If there is no further call, it is logged when this object is freed, or
    immediately after `leave`. The interpreter waits for the thread at exit. A forked child has no pending write.
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = threading.RLock()  # reentrant: a signal handler may save
        self._thread: threading.Thread | None = None
        self._errors = _Errors()
        weakref.finalize(self, _tell, self._errors.told_of, self._process)

    def _renew(self) -> None:
        """Resets the state in a forked child, where the lock may be held forever."""
        if self._process != os.getpid():
            self._begin()

    def run(self, take: Callable[[], _Work], name: str) -> None:
        """Waits for the previous write, calls `take`, and calls its result on the thread, which writes the checkpoint
        `name`.

        Raises errors of `take`; else the error of the previous write, if any, although the new checkpoint is written
        all the same.
        """
        self._renew()
        with self._lock:
            self.join()
            box = [take()]
            before = self._errors.take()
            self._errors.expect(name)
            # Not a daemon, even if a daemon saves: the interpreter must wait for it.
            thread = threading.Thread(target=_run, args=(box, self._errors), name="tinytf-saver", daemon=False)
            if _start(thread):
                self._thread = thread
            else:
                _run(box, self._errors)
                before = before or self._errors.take()
            if before is not None:
                raise before

    def is_running(self) -> bool:
        """Returns whether a checkpoint is being written."""
        self._renew()
        thread = self._thread
        return thread is not None and thread.is_alive()

    def join(self) -> None:
        """Waits until no checkpoint is being written. An error is kept for the next call."""
        self._renew()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()
            if self._thread is thread:
                self._thread = None

    def wait(self) -> None:
        """Waits, and raises the error if there was one."""
        self.join()
        error = self._errors.take()
        if error is not None:
            raise error

    def leave(self) -> str | None:
        """Gives up waiting: logs the error, now or when it occurs. Returns the logged text if there is an error now."""
        self._renew()
        return self._errors.leave()


class _Errors:
    """The thread's error that was not raised or logged yet. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # reentrant: a signal handler may save
        self._name = ""
        self._left = False
        self._error: BaseException | None = None
        self.told_of: list[str] = []  # the warning's text, kept separately as the error holds the saver

    def expect(self, name: str) -> None:
        """Begins a new checkpoint."""
        with self._lock:
            self._name, self._left = name, False

    def put(self, error: BaseException) -> None:
        text = f"The checkpoint {self._name} was not written: {type(error).__name__}: {error}"
        with self._lock:
            left = self._left
            if not left:
                self._error = error
                self.told_of[:] = [text]
        if left:
            tf_logging.warning("%s", text)

    def take(self) -> BaseException | None:
        with self._lock:
            error, self._error = self._error, None
            self.told_of.clear()
            return error

    def leave(self) -> str | None:
        with self._lock:
            self._left = True
            text = "".join(self.told_of)
            self.take()
        if not text:
            return None
        tf_logging.warning("%s", text)
        return text


def _start(thread: threading.Thread) -> bool:
    """Starts a thread; False if there are too many, or the interpreter is exiting and would not wait."""
    if not threading.main_thread().is_alive():
        return False
    try:
        thread.start()
    except RuntimeError:
        return False
    return True


def _run(box: list[_Work], errors: _Errors) -> None:
    try:
        box.pop()()  # popped: the waiting thread may drop the last reference to the saved data
    except BaseException as error:
        errors.put(error)


def _tell(texts: list[str], process: int) -> None:
    if process == os.getpid():
        for text in texts:
            tf_logging.warning("%s", text)
