"""Writes `tinytf/_src/api/missing_names.txt`: the names of TensorFlow 1.15 that tinytf lacks.

    python tinytf/_src/tools/missing_names.py

The names of TensorFlow 1.15 are listed in `tests/framework/names_of_1_15.txt`, and for the contrib modules that exist
here in `contrib_names_of_1_15.txt`. A test checks that the list is up to date; it may only become shorter.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tinytf

_SOURCES = Path(__file__).resolve().parents[3]
_NAMES = "names_of_1_15.txt", "contrib_names_of_1_15.txt"


def find(name: str) -> Any:
    """The object with this public name, such as `tf.math.abs`. Raises AttributeError if there is none."""
    value: Any = tinytf
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


def missing(names: Iterable[str]) -> list[str]:
    """The names that do not exist, without members of other missing names; modules must come before their members."""
    found: list[str] = []
    for name in names:
        if not any(name.startswith(f"{upper}.") for upper in found):
            try:
                find(name)
            except AttributeError:
                found.append(name)
    return found


def main() -> int:
    """Writes the file; returns the exit status."""
    texts = [(_SOURCES / "tests/framework" / file).read_text() for file in _NAMES]
    names = [line.split()[0] for text in texts for line in text.splitlines()]
    (_SOURCES / "tinytf/_src/api/missing_names.txt").write_text("".join(f"{name}\n" for name in missing(names)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
