"""The thread that writes a saver's checkpoints while the program goes on."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable

from tinytf.framework import tf_logging

_Work = Callable[[], object]


class SaveThread:
    """Writes one checkpoint at a time, on a thread named `tinytf-saver`, which ends with it. Thread-safe.

    An error is told once, by the call that comes next; where none comes, a warning tells of it in the end, or as soon as it
    is there after `leave`. The interpreter ends when the thread has. In a forked child no checkpoint is being written.
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = threading.RLock()  # a signal's handler may save
        self._thread: threading.Thread | None = None
        self._errors = _Errors()
        weakref.finalize(self, _tell, self._errors.told_of, self._process)

    def _renew(self) -> None:
        """In a forked child, where the lock may be held for ever."""
        if self._process != os.getpid():
            self._begin()

    def run(self, take: Callable[[], _Work], name: str) -> None:
        """Waits for the checkpoint before, calls `take`, and on the thread what that returns: it writes the checkpoint `name`.

        Raises what `take` raises. Else raises the error of the checkpoint before, if there was one, and writes the new one
        all the same.
        """
        self._renew()
        with self._lock:
            self.join()
            box = [take()]
            before = self._errors.take()
            self._errors.expect(name)
            # No daemon, also where a daemon saves: the interpreter waits for the thread.
            thread = threading.Thread(target=_run, args=(box, self._errors), name="tinytf-saver", daemon=False)
            if _start(thread):
                self._thread = thread
            else:
                _run(box, self._errors)
                before = before or self._errors.take()
            if before is not None:
                raise before

    def is_running(self) -> bool:
        """Whether a checkpoint is being written."""
        self._renew()
        thread = self._thread
        return thread is not None and thread.is_alive()

    def join(self) -> None:
        """Waits until no checkpoint is being written. An error stays for who comes next."""
        self._renew()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()
            if self._thread is thread:
                self._thread = None

    def wait(self) -> None:
        """The same, and raises the error."""
        self.join()
        error = self._errors.take()
        if error is not None:
            raise error

    def leave(self) -> str | None:
        """For who waits no longer: warns of the error, now or when it comes. What the warning says, if that is now."""
        self._renew()
        return self._errors.leave()


class _Errors:
    """The error of the thread that nobody was told of, if there is one. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a signal's handler may save
        self._name = ""
        self._left = False
        self._error: BaseException | None = None
        self.told_of: list[str] = []  # what the warning says: who has the error holds the saver

    def expect(self, name: str) -> None:
        """Of another checkpoint."""
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
    """False if there are no more threads, or the interpreter ends already and would not wait."""
    if not threading.main_thread().is_alive():
        return False
    try:
        thread.start()
    except RuntimeError:
        return False
    return True


def _run(box: list[_Work], errors: _Errors) -> None:
    try:
        box.pop()()  # popped: who waits for the thread may be the last to hold what it saves
    except BaseException as error:
        errors.put(error)


def _tell(texts: list[str], process: int) -> None:
    if process == os.getpid():
        for text in texts:
            tf_logging.warning("%s", text)
