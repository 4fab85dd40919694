"""Programs that say `import tensorflow as tf` run on tinytf, as they are: `python -m tinytf program.py`, or `install()` at
the beginning of a notebook or of a `conftest.py`."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Sequence
from typing import Any

_NAME = "tensorflow"


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds tinytf's modules by TensorFlow's names: each module is there once, under two names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] != _NAME:
            return None
        try:
            importlib.import_module(_own(fullname))
        except ModuleNotFoundError as e:
            if e.name is None or not _own(fullname).startswith(e.name):
                raise
            raise ModuleNotFoundError(_no_module(fullname), name=fullname) from None
        return importlib.util.spec_from_loader(fullname, self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = importlib.import_module(_own(spec.name))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state  # its own again


def _own(fullname: str) -> str:
    return "tinytf" + fullname[len(_NAME) :]


def _no_module(fullname: str) -> str:
    from tinytf.api.missing import why_missing

    return f"No module named {fullname!r}: {why_missing('tf' + fullname[len(_NAME) :])}"


def install() -> Any:
    """From now on `import tensorflow` gives this package, which it returns, and `tf.__version__` is the version of
    TensorFlow whose programs it runs. The logger `tinytf` is then called `tensorflow`, and found by both names. To be called
    before anything imports TensorFlow: RuntimeError else."""
    tinytf = importlib.import_module("tinytf")
    imported = sys.modules.get(_NAME)
    if imported is not None and imported is not tinytf:
        raise RuntimeError("TensorFlow itself has been imported in this process already")
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
        vars(tinytf).update(__version__=tinytf.VERSION)
        own = tinytf.get_logger()
        own.name, own.manager.loggerDict[_NAME] = _NAME, own
    return tinytf
