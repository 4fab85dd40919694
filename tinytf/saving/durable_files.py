"""Files that survive a loss of power."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from tinytf import _core
from tinytf.platform import file_io
from tinytf.saving.checkpoint_files import files_like


@contextmanager
def durable_writes(wanted: bool = True) -> Iterator[None]:
    """Checkpoints that the engine writes in the body are on the disk before they take the place of others."""
    scope = _core.DurableScope() if wanted else None
    try:
        yield
    finally:
        del scope


def make_durable(patterns: Iterable[str]) -> None:
    """Waits until the files that are called so (`files_like`) are on the disk, and the folders that name them."""
    names = [name for pattern in patterns for name in files_like(pattern)]
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
