"""Which functions are rewritten when rewritten code calls them: those of the program, and what packages it uses."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from types import FunctionType
from typing import Any

from tinytf.framework.creation_line import is_users_file

# Packages whose functions run as they are.
_LEFT_ALONE = frozenset(
    "numpy tensorflow tensorflow_core tinytf absl google ml_dtypes opt_einsum pytest _pytest hypothesis mock IPython ipdb "
    "debugpy".split()
)
_LIBRARY = tuple(os.path.join(os.path.realpath(sysconfig.get_path(n)), "") for n in ("stdlib", "platstdlib"))
_PACKAGES = ("site-packages", "dist-packages")

MARK = "_tinytf_autograph_left_alone"  # attribute of functions that are not to be rewritten


def left_alone(function: Any) -> bool:
    """Whether a function was marked: `do_not_convert`, or as one of AutoGraph's own."""
    return bool(getattr(function, "__dict__", {}).get(MARK, False))


def mark(function: Any) -> None:
    """Marks a function."""
    setattr(function, MARK, True)


def is_candidate(function: FunctionType) -> bool:
    """Whether a function is a program's own, not of the libraries that are left alone."""
    package = (function.__module__ or "").partition(".")[0]
    if package in _LEFT_ALONE:
        return package == "tinytf" and is_users_file(function.__code__.co_filename)
    return not is_library_file(function.__code__.co_filename)


@functools.lru_cache(maxsize=1024)
def is_library_file(file: str) -> bool:
    """Whether a file is of Python's own library."""
    if file.startswith("<") and file != "<stdin>":
        return file.startswith("<frozen")
    path = os.path.realpath(file)
    return path.startswith(_LIBRARY) and not any(part in path.split(os.sep) for part in _PACKAGES)


def is_test_case(value: Any) -> bool:
    """Whether something is a test case of `unittest`, whose methods run as they are."""
    # A module that another thread is loading at this moment may not have the class yet: then nothing is a case of it.
    test_case = getattr(sys.modules.get("unittest"), "TestCase", None)
    return test_case is not None and isinstance(value, test_case)
