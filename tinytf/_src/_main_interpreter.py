"""Refuses to be imported by an interpreter other than the process's first: the engine is one for the process, as NumPy is."""

import importlib
from typing import Any

for _name in ("_interpreters", "_xxsubinterpreters"):  # the second before Python 3.13
    try:
        _interpreters: Any = importlib.import_module(_name)
    except ImportError:
        continue
    if _interpreters.get_current() != _interpreters.get_main():
        raise ImportError("tinytf cannot be imported by a subinterpreter, only by the process's main interpreter")
    break
