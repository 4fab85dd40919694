"""Which cases of exhaustive tests a run takes: a fixed quarter, or all if TINYTF_ALL_CASES is set, as in `make soak`."""

import itertools
import os
from collections.abc import Iterable, Iterator
from typing import TypeVar

_Case = TypeVar("_Case")

ALL_CASES = bool(os.environ.get("TINYTF_ALL_CASES"))


def share(cases: Iterable[_Case], offset: int = 0) -> Iterator[_Case]:
    """Every fourth case, or every case. Other offsets give other cases; of few cases at least one is taken."""
    found = list(cases)
    return iter(found) if ALL_CASES or not found else itertools.islice(found, offset % min(4, len(found)), None, 4)
