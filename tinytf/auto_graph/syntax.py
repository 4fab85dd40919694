"""Syntax trees of texts."""

from __future__ import annotations

import ast
import os
import threading
from typing import Any

_parsing = threading.RLock()
os.register_at_fork(before=_parsing.acquire, after_in_parent=_parsing.release, after_in_child=_parsing.release)


def parsed(text: str, name: str = "<unknown>", mode: str = "exec") -> Any:
    """What `ast.parse` gives, SyntaxError included. One thread at a time: some versions of CPython 3.11 and 3.12 count the depth
    of all trees that are being made together, and raise SystemError where threads take turns."""
    with _parsing:
        return ast.parse(text, name, mode)
