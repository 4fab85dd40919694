"""Names of the files of a checkpoint."""

from __future__ import annotations

import os
import re

from tinytf._src.platform import file_io


def files_like(pattern: str) -> list[str]:
    """Returns the paths that match a pattern in which `?` is any character and all others are literal: checkpoint names
    may contain glob characters, which must not match unrelated files."""
    folder, name = os.path.split(pattern)
    if not file_io.is_directory(folder or "."):
        return []
    fits = re.compile(re.escape(name).replace(r"\?", "."), re.DOTALL)
    found = sorted(other.rstrip("/") for other in file_io.list_directory(folder or "."))
    return [os.path.join(folder, other) for other in found if fits.fullmatch(other)]


def data_files(prefix: str) -> str:
    """Returns the pattern of the data files of a checkpoint."""
    return f"{prefix}.data-?????-of-?????"


def checkpoint_files(prefix: str) -> list[str]:
    """Returns the patterns of the files with a checkpoint's values, in either format."""
    return [f"{prefix}.index", data_files(prefix), prefix]
