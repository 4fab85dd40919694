"""The event file of a writer, which ends with the writer or the process."""

from __future__ import annotations

import weakref
from typing import Any

from tinytf._core import EventWriter
from tinytf._src.framework.logs.log import logger
from tinytf._src.platform.local_path import decoded

_SECONDS_AT_EXIT = 2.0  # time limit for writing pending events at exit

_open_files: weakref.WeakSet[EventFile] = weakref.WeakSet()


class EventFile:
    """An event file in the directory `logdir`; with an `engine`, the one that all writers of this directory and the
    engine's session share.

    `delay`: seconds for which events are collected before writing.
    """

    def __init__(self, logdir: Any, engine: Any, suffix: str, delay: float) -> None:
        self._logdir = logdir
        self._engine = engine
        self._suffix = suffix
        self._delay = delay
        self.is_closed = False
        self.events = self._new_events()
        _end_at_exit(self)

    def close(self) -> None:
        """Flushes and closes the file, unless it is closed. Other writers of the session continue with a new file."""
        if not self.is_closed:
            self.is_closed = True
            if self._engine is not None:
                self._engine.forget_event_writer(self._name())
            self.events.close()

    def reopen(self) -> None:
        """Begins a new file if this one is closed."""
        if self.is_closed and self._engine is not None and not self._engine.closed():
            self.events = self._new_events()
        self.is_closed = False

    def _new_events(self) -> EventWriter:
        folder = decoded(self._logdir)
        if self._engine is None:
            return EventWriter(folder, self._suffix, self._delay)
        return self._engine.event_writer(self._name(), folder, self._suffix, self._delay)

    def _name(self) -> str:
        """Returns the name of the file in its session, by which operations find it."""
        return f"logdir:{decoded(self._logdir)}"

    def __del__(self) -> None:
        # A session's file stays open: others may write to it, and the session closes it.
        if not getattr(self, "is_closed", True) and self._engine is None:
            self._end()

    def _end(self) -> None:
        """Closes the file when the writer is freed or at exit; logs errors, as there is no caller to raise them to."""
        from tinytf._src.framework.errors.errors_impl import OpError

        self.is_closed = True
        try:
            self.events.close(_SECONDS_AT_EXIT)
        except OpError as error:
            logger().warning("Events were not written to %s: %s", self._logdir, error.message)


def _end_at_exit(file: EventFile) -> None:
    if not _open_files:
        import atexit

        atexit.unregister(_end_open_files)
        atexit.register(_end_open_files)
    _open_files.add(file)


def _end_open_files() -> None:
    for file in list(_open_files):
        if not file.is_closed:
            file._end()
