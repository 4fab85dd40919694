"""Shared by `Session.trace` and `Session.record`: a block in which an observer sees every run of a session."""

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
    """Context manager that attaches an observer to the object that runs a session's steps.

    The result of `make` is the attribute `role` ("tracer" or "recorder") of `runner` during the block. At the end, even
    if the body raises, it is passed to `finish`. Blocks of different roles may overlap in any way. Raises RuntimeError
    with the text `busy`, without calling `make`, if the role is taken.
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
    """Returns the path as a string. Raises FileNotFoundError if its directory is missing, before any work is lost."""
    path = os.fspath(path)
    directory = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(directory):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), directory)
    return path
