"""Decides which functions are converted when converted code calls them: the user's program and most packages that it
uses."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from types import FunctionType
from typing import Any

from tinytf._src.framework.sites.creation_line import is_users_file

# Top-level packages whose functions are never converted.
_LEFT_ALONE = frozenset(
    "numpy tensorflow tensorflow_core tinytf absl google ml_dtypes opt_einsum pytest _pytest hypothesis mock IPython ipdb "
    "debugpy".split()
)
_LIBRARY = tuple(os.path.join(os.path.realpath(sysconfig.get_path(n)), "") for n in ("stdlib", "platstdlib"))
_PACKAGES = ("site-packages", "dist-packages")

MARK = "_tinytf_autograph_left_alone"  # attribute that excludes a function


def left_alone(function: Any) -> bool:
    """Whether a function was excluded with `mark`, by `do_not_convert` or as part of AutoGraph itself."""
    return bool(getattr(function, "__dict__", {}).get(MARK, False))


def mark(function: Any) -> None:
    """Excludes a function from conversion."""
    setattr(function, MARK, True)


def is_candidate(function: FunctionType) -> bool:
    """Whether a function belongs to the program or a convertible package, not to Python or an excluded package."""
    package = (function.__module__ or "").partition(".")[0]
    if package in _LEFT_ALONE:
        return package == "tinytf" and is_users_file(function.__code__.co_filename)
    return not is_library_file(function.__code__.co_filename)


@functools.lru_cache(maxsize=1024)
def is_library_file(file: str) -> bool:
    """Whether a file belongs to Python's standard library."""
    if file.startswith("<") and file != "<stdin>":
        return file.startswith("<frozen")
    path = os.path.realpath(file)
    return path.startswith(_LIBRARY) and not any(part in path.split(os.sep) for part in _PACKAGES)


def is_test_case(value: Any) -> bool:
    """Whether a value is a `unittest.TestCase`, whose methods are not converted."""
    # While another thread imports unittest, the class may not exist yet; then nothing can be an instance of it.
    test_case = getattr(sys.modules.get("unittest"), "TestCase", None)
    return test_case is not None and isinstance(value, test_case)
