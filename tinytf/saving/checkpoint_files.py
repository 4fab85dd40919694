"""The files of a checkpoint, by its name."""

from __future__ import annotations

import os
import re

from tinytf.platform import file_io


def files_like(pattern: str) -> list[str]:
    """The files whose names fit, where `?` is any character and all others are themselves: names of checkpoints may have
    what patterns give a meaning to, and are not to lead to files of others."""
    folder, name = os.path.split(pattern)
    if not file_io.is_directory(folder or "."):
        return []
    fits = re.compile(re.escape(name).replace(r"\?", "."), re.DOTALL)
    found = sorted(other.rstrip("/") for other in file_io.list_directory(folder or "."))
    return [os.path.join(folder, other) for other in found if fits.fullmatch(other)]


def data_files(prefix: str) -> str:
    """How the data files of a checkpoint are called."""
    return f"{prefix}.data-?????-of-?????"


def checkpoint_files(prefix: str) -> list[str]:
    """How the files of a checkpoint are called that have its values, of either format."""
    return [f"{prefix}.index", data_files(prefix), prefix]
