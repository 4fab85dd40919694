"""Removes remains of interrupted or failed saves."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.logs import tf_logging
from tinytf._src.platform import file_io

_HEX = "[0-9a-f]{32}"
_IN_USE = 60.0  # seconds since the last change during which a file may belong to another save


def remove_leftovers(save_path: str, latest_filename: str) -> None:
    """Removes temporary files of a saver's checkpoints: files not yet renamed, shards not yet merged, data without an
    index. Recently changed files are skipped, as several savers may use the same name; failures are logged."""
    folder, base = os.path.split(save_path)
    for name in _leftovers(file_io.list_directory(folder or "."), base, latest_filename):
        path = os.path.join(folder, name)
        try:
            if time.time() - file_io.stat(path).mtime_nsec / 1e9 < _IN_USE:
                continue
            tf_logging.info("Removing %s, which an unfinished save has left behind", path)
            _remove(path)
        except errors_impl.OpError as error:
            tf_logging.warning("Ignoring: %s", str(error))


@contextmanager
def nothing_left_of(path: str) -> Iterator[None]:
    """Context manager for the writing of one checkpoint. If it fails, for example on a full disk, the files written so
    far are removed, except a complete checkpoint of that name. Failures of the removal are ignored."""
    try:
        yield
    except BaseException:
        _remove_unfinished(path)
        raise


def _remove_unfinished(path: str) -> None:
    folder, base = os.path.split(os.fsdecode(path))
    with suppress(errors_impl.OpError):  # the directory does not exist
        for name in _leftovers(file_io.list_directory(folder or "."), base, "", steps=False):
            with suppress(errors_impl.OpError):
                _remove(os.path.join(folder, name))


def _remove(path: str) -> None:
    if file_io.is_directory(path):
        file_io.delete_recursively(path)
    else:
        file_io.delete_file(path)


def _leftovers(names: list[str], base: str, latest_filename: str, steps: bool = True) -> Iterator[str]:
    """Yields the names of remains; `steps`: also of checkpoints whose names continue with a step number."""
    checkpoint = rf"({re.escape(base)}(?:-\d+)?)" if steps else rf"({re.escape(base)})"
    data = re.compile(rf"{checkpoint}\.data-\d{{5}}-of-\d{{5}}")
    unfinished = re.compile(
        rf"{checkpoint}(\.index|\.data-\d{{5}}-of-\d{{5}})?\.tempstate\d+|{checkpoint}_temp_{_HEX}/?"
        rf"|({checkpoint}\.\w+|{re.escape(latest_filename)})\.tmp{_HEX}"
    )
    there = set(names)
    for name in names:
        of = data.fullmatch(name)
        if unfinished.fullmatch(name) or (of is not None and f"{of[1]}.index" not in there):
            yield name.removesuffix("/")
