"""Syntax trees of texts."""

from __future__ import annotations

import ast
from typing import Any

from tinytf.framework.fork_lock import lock_held_over_forks

_parsing = lock_held_over_forks()


def parsed(text: str, name: str = "<unknown>", mode: str = "exec") -> Any:
    """What `ast.parse` gives, SyntaxError included. One thread at a time: some versions of CPython 3.11 and 3.12 count the depth
    of all trees that are being made together, and raise SystemError where threads take turns."""
    with _parsing:
        return ast.parse(text, name, mode)
