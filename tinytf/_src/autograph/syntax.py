"""Parsing of Python source."""

from __future__ import annotations

import ast
from typing import Any

from tinytf._src.framework.fork_lock import lock_held_over_forks

_parsing = lock_held_over_forks()


def parsed(text: str, name: str = "<unknown>", mode: str = "exec") -> Any:
    """`ast.parse`, including its SyntaxError, under a lock.

    Some versions of CPython 3.11 and 3.12 share one recursion depth between all running parsers and raise SystemError
    if threads interleave.
    """
    with _parsing:
        return ast.parse(text, name, mode)
