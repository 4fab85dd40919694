"""Modules that are imported like any other but run when the first name of theirs is asked for."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
import threading
import types
from typing import Any

_lock = threading.RLock()  # one for all: which module runs first depends on the program
# Another thread may have run a module when the process was forked: the child runs it again.
os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # type: ignore[attr-defined]


class _LateModule(types.ModuleType):
    """Stands for its module until it has run; then it is a plain module, and as quick as one."""

    def __getattr__(self, name: str) -> Any:
        _run(self)
        return getattr(self, name)

    def __dir__(self) -> list[str]:
        _run(self)
        return dir(self)


def _run(module: types.ModuleType) -> None:
    with _lock:
        waits = type(module) is _LateModule
        if waits:  # else another thread was quicker
            spec = module.__spec__
            assert spec is not None and spec.loader is not None
            spec.loader.exec_module(module)
            module.__class__ = types.ModuleType


def run_when_used(name: str) -> None:
    """From now on an import of the module `name` only finds it; its package has been imported."""
    spec = importlib.util.find_spec(name)
    if spec is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    module = importlib.util.module_from_spec(spec)
    module.__class__ = _LateModule
    sys.modules[name] = module
    package, _, last = name.rpartition(".")
    setattr(sys.modules[package], last, module)
