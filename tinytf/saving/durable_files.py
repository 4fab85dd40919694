"""Files that survive a loss of power."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable

from tinytf.platform import file_io


def make_durable(patterns: Iterable[str]) -> None:
    """Waits until the files that match are on the disk, and the folders that name them."""
    names = file_io.get_matching_files(list(patterns))
    for name in [*names, *dict.fromkeys(os.path.dirname(name) or "." for name in names)]:
        _sync(name)


def write_durably(name: str, text: str) -> None:
    """Makes or replaces a file: whenever the power goes, it has either what it had or the text."""
    beside = f"{name}.tmp{uuid.uuid4().hex}"
    file_io.write_string_to_file(beside, text)
    _sync(beside)
    file_io.rename(beside, name, overwrite=True)
    _sync(os.path.dirname(name) or ".")


def _sync(name: str) -> None:
    descriptor = os.open(name, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
