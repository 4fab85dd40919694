"""One case: a valid file is mutated and read. Kind, seed and number determine it."""

from __future__ import annotations

import os
import shutil
import tempfile
from functools import cache
from itertools import zip_longest
from random import Random
from typing import Any

from memory_folder import memory_folder
from reader_corpus import Seed
from reader_kinds import KINDS, REFUSED, TooMuch, flipped_files, seeds_of

_FLIPS = 0.25  # fraction of the cases of kinds with checksums


class Reading:
    """Reads files of a kind in a temporary folder."""

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(dir=memory_folder())

    def close(self) -> None:
        shutil.rmtree(self._folder)

    def read(self, kind: str, files: Seed) -> list[Any]:
        for name, content in files.items():
            with open(f"{self._folder}/{name}", "wb") as file:
                file.write(content)
        try:
            return KINDS[kind].read(self._folder)
        finally:
            for entry in os.scandir(self._folder):
                shutil.rmtree(entry.path) if entry.is_dir() else os.unlink(entry.path)

    @cache  # noqa: B019  there is one object for the life of a process
    def sound(self, kind: str, i: int) -> list[Any]:
        """The result of reading an unmodified seed file."""
        return self.read(kind, seeds_of(kind)[i])


def files_of(kind: str, seed: int, number: int) -> tuple[Seed, int, bool]:
    """The files of a case, the index of their seed, and whether they differ from it only by a few flipped bytes."""
    rng = Random(f"{kind} {seed} {number}")
    i = rng.randrange(len(seeds_of(kind)))
    if KINDS[kind].guarded and rng.random() < _FLIPS:
        return flipped_files(rng, seeds_of(kind)[i]), i, True
    return KINDS[kind].mutate(rng, seeds_of(kind)[i]), i, False


def check_case(reading: Reading, kind: str, seed: int, number: int) -> str | None:
    """The failure of a case; None if it passes."""
    files, i, is_flip = files_of(kind, seed, number)
    sound = reading.sound(kind, i) if is_flip else []
    try:
        found = reading.read(kind, files)
    except TooMuch as error:
        return f"asks for too much memory: {error}"
    except Exception as error:  # not one of TensorFlow's errors
        return f"{type(error).__name__}: {error}"
    if is_flip and any(x not in (REFUSED, y) for x, y in zip_longest(found, sound[: len(found)])):
        return "reads another value than was written"
    return None
