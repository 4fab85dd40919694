"""The numbers in the names of traced functions, which make them unique in the process and in imported libraries."""

from __future__ import annotations

import re
import threading

_NUMBER = re.compile(r"_(\d{1,18})$")
_lock = threading.Lock()
_last = 0


def new_number() -> int:
    """Returns a number that no name has that was made or imported before."""
    global _last
    with _lock:
        _last += 1
        return _last


def skip_number_of(name: str) -> None:
    """Lets new numbers begin behind the one at the end of an imported function's name, if it has one: a graph cannot
    have two functions of one name."""
    global _last
    if found := _NUMBER.search(name):
        with _lock:
            _last = max(_last, int(found[1]))
