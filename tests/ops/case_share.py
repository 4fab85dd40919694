"""Which cases of exhaustive tests a run takes: a fixed quarter, or all if TINYTF_ALL_CASES is set, as in `make soak`."""

import itertools
import os
from collections.abc import Iterable, Iterator
from typing import TypeVar

_Case = TypeVar("_Case")

ALL_CASES = bool(os.environ.get("TINYTF_ALL_CASES"))


def share(cases: Iterable[_Case], offset: int = 0) -> Iterator[_Case]:
    """Every fourth case from number `offset` modulo 4 on, or every case. Other offsets give other cases."""
    return iter(cases) if ALL_CASES else itertools.islice(cases, offset % 4, None, 4)
