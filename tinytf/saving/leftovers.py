"""What saves that were killed, or that failed, have left in a folder."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tinytf.framework import errors_impl, tf_logging
from tinytf.platform import file_io

_HEX = "[0-9a-f]{32}"
_IN_USE = 60.0  # seconds after a change in which something may be another save's that goes on


def remove_leftovers(save_path: str, latest_filename: str) -> None:
    """Removes what was written for a saver's checkpoints under names of no meaning to readers: files that were to be renamed,
    shards that were to be merged, data whose index is deleted. What was changed a moment ago stays: there may be several savers
    of one name. So does what cannot be removed."""
    folder, base = os.path.split(save_path)
    for name in _leftovers(file_io.list_directory(folder or "."), base, latest_filename):
        path = os.path.join(folder, name)
        try:
            if time.time() - file_io.stat(path).mtime_nsec / 1e9 < _IN_USE:
                continue
            tf_logging.info("Removing %s, which a save that did not end has left", path)
            _remove(path)
        except errors_impl.OpError as error:
            tf_logging.warning("Ignoring: %s", str(error))


@contextmanager
def nothing_left_of(path: str) -> Iterator[None]:
    """A block that writes one checkpoint. If it fails, as on a full disk, what it has written goes. A complete checkpoint of
    that name stays, and so does what cannot be removed."""
    try:
        yield
    except BaseException:
        _remove_unfinished(path)
        raise


def _remove_unfinished(path: str) -> None:
    folder, base = os.path.split(os.fsdecode(path))
    with suppress(errors_impl.OpError):  # there is no folder
        for name in _leftovers(file_io.list_directory(folder or "."), base, "", steps=False):
            with suppress(errors_impl.OpError):
                _remove(os.path.join(folder, name))


def _remove(path: str) -> None:
    if file_io.is_directory(path):
        file_io.delete_recursively(path)
    else:
        file_io.delete_file(path)


def _leftovers(names: list[str], base: str, latest_filename: str, steps: bool = True) -> Iterator[str]:
    """`steps`: of checkpoints that have any step behind their name, too."""
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
