"""What `Session.trace` and `Session.record` have in common: a while in which somebody sees every run of a session."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

_Watcher = TypeVar("_Watcher")

_lock = threading.Lock()


@contextmanager
def watched(
    runner: Any, role: str, busy: str, make: Callable[[], _Watcher], finish: Callable[[_Watcher], None]
) -> Iterator[None]:
    """A context manager in which what `make` returns is the attribute `role` ("tracer", "recorder") of what runs a
    session's steps.

    At the end, also when the body raises, `finish` gets it. Several roles may be taken at a time, and given up in any
    order. RuntimeError with the text `busy` if this one is: then nothing is made.
    """
    with _lock:
        if getattr(runner, role) is not None:
            raise RuntimeError(busy)
        watcher = make()
        setattr(runner, role, watcher)
        runner.cache.recognise_calls(False)
    try:
        yield
    finally:
        with _lock:
            setattr(runner, role, None)
            if runner.tracer is None and runner.recorder is None:
                runner.cache.recognise_calls(True)
        finish(watcher)


def path_of_new_file(path: str | os.PathLike[str]) -> str:
    """The path as text. FileNotFoundError if the directory is missing: better now than after the work."""
    path = os.fspath(path)
    directory = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(directory):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), directory)
    return path
