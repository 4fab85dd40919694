"""Suggests similar names for a missing one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


def nearest(name: Any, names: Iterable[str]) -> str:
    """Returns a hint, to be appended to an error text, with the names most similar to a missing one; '' if none is
    similar."""
    if not isinstance(name, str):
        return ""
    names = sorted(names)
    found = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    last = name.rpartition("/")[2]
    found += [other for other in names if other.rpartition("/")[2] == last and other not in found][: 3 - len(found)]
    return f" (similar names: {', '.join(found)})" if found else ""
