"""Files that survive a loss of power."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from tinytf import _core
from tinytf.framework.context_variable import ContextVariable
from tinytf.platform import file_io
from tinytf.platform.local_path import local
from tinytf.saving.checkpoint_files import files_like

_wanted = ContextVariable("tinytf_durable_writes", False)


@contextmanager
def durable_writes(wanted: bool = True) -> Iterator[None]:
    """In the body, checkpoints that the engine writes, and files of `replace_file`, are on the disk before they take the place
    of others."""
    if not wanted:
        yield
        return
    scope = _core.DurableScope()
    before = _wanted.get()
    _wanted.set(True)
    try:
        yield
    finally:
        _wanted.set(before)
        del scope


def replace_file(name: str, content: str | bytes) -> None:
    """Makes or replaces a file, in one step for whoever reads it. Among `durable_writes` it has either what it had or the
    content whenever the power goes, and is there when this returns, if its folder is."""
    if not _wanted.get():
        file_io.atomic_write_string_to_file(name, content)
        return
    with file_io.new_file_beside(name) as beside:
        file_io.write_string_to_file(beside, content)
        _sync(beside)
        file_io.rename(beside, name, overwrite=True)
    _sync(os.path.dirname(name))


def make_durable(patterns: Iterable[str], folder: str) -> None:
    """Waits until the files that are called so (`files_like`), which a folder has, are on the disk, and the way to them."""
    for name in [name for pattern in patterns for name in files_like(pattern)]:
        _sync(name)
    make_way_durable(folder)


def make_folder_durable(folder: str) -> None:
    """Waits until all that is in a folder is on the disk, and the way there."""
    for path, _, files in os.walk(local(folder)):
        for name in files:
            _sync(os.path.join(path, os.fsencode(name)))
        _sync(path)
    make_way_durable(folder)


def make_way_durable(folder: str) -> None:
    """Waits until a folder and those above it, up to where their disk begins, have on the disk what names lead on: whoever
    made them may have done so a moment ago."""
    named = os.path.abspath(local(folder) or b".")
    _sync(named)
    for path in dict.fromkeys((named, os.path.realpath(named))):
        while not os.path.ismount(path):
            path = os.path.dirname(path)
            try:
                _sync(path)
            except PermissionError:
                pass  # who may not read it has hardly made anything there


def _sync(name: str | bytes) -> None:
    descriptor = os.open(local(name) or b".", os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
