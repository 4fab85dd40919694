"""File operations that survive a power loss."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from tinytf import _core
from tinytf._src.checkpoint.checkpoint_files import files_like
from tinytf._src.framework.context.context_variable import ContextVariable
from tinytf._src.platform import file_io
from tinytf._src.platform.local_path import local

_wanted = ContextVariable("tinytf_durable_writes", False)


@contextmanager
def durable_writes(wanted: bool = True) -> Iterator[None]:
    """Returns a context manager in which checkpoints written by the engine, and files of `replace_file`, are synced to
    disk before they replace others."""
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
    """Creates or replaces a file atomically. In `durable_writes` a power loss leaves the old or the new contents at any
    time, and the new contents once the function has returned, provided that the directory itself is durable."""
    if not _wanted.get():
        file_io.atomic_write_string_to_file(name, content)
        return
    with file_io.new_file_beside(name) as beside:
        file_io.write_string_to_file(beside, content)
        _sync(beside)
        file_io.rename(beside, name, overwrite=True)
    _sync(os.path.dirname(name))


def make_durable(patterns: Iterable[str], folder: str) -> None:
    """Syncs the files of a directory that match the patterns (see `files_like`), and the path to them."""
    for name in [name for pattern in patterns for name in files_like(pattern)]:
        _sync(name)
    make_way_durable(folder)


def make_folder_durable(folder: str) -> None:
    """Syncs all files below a directory, and the path to them."""
    for path, _, files in os.walk(local(folder)):
        for name in files:
            _sync(os.path.join(path, os.fsencode(name)))
        _sync(path)
    make_way_durable(folder)


def make_way_durable(folder: str) -> None:
    """Syncs the entries of a directory and of its parents, up to the mount point, as any of them may have been created
    just now."""
    named = os.path.abspath(local(folder) or b".")
    _sync(named)
    for path in dict.fromkeys((named, os.path.realpath(named))):
        while not os.path.ismount(path):
            path = os.path.dirname(path)
            try:
                _sync(path)
            except PermissionError:
                pass  # without read access it was hardly created by this process


def _sync(name: str | bytes) -> None:
    descriptor = os.open(local(name) or b".", os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
