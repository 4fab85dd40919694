"""Programs that say `import tensorflow as tf` run on tinytf, as they are: `python -m tinytf program.py`, or `install()` at
the beginning of a notebook or of a `conftest.py`."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import logging
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
    """From now on `import tensorflow` gives this package, which it returns, `tf.__version__` is the version of TensorFlow
    whose programs it runs, and `logging.getLogger("tensorflow")` is `tf.get_logger()`. To be called before anything imports
    TensorFlow: RuntimeError else."""
    tinytf = importlib.import_module("tinytf")
    imported = sys.modules.get(_NAME)
    if imported is not None and imported is not tinytf:
        raise RuntimeError("TensorFlow itself has been imported in this process already")
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
        vars(tinytf).update(__version__=tinytf.VERSION)
        _name_logger()
    return tinytf


def _name_logger() -> None:
    """The package's logger gets TensorFlow's name too, by which programs set its level and handlers, and which its lines
    show. What was set up under that name before holds for it, and loggers below it are below this one."""
    importlib.import_module("tinytf.framework.tf_logging")  # the logger has its handler from the beginning, as there
    logger, manager = importlib.import_module("tinytf").get_logger(), logging.Logger.manager
    before = logging.getLogger(_NAME)
    if before is logger:
        return
    for handler in before.handlers:
        logger.addHandler(handler)
    for kept in before.filters:
        logger.addFilter(kept)
    logger.setLevel(before.level or logger.level)
    logger.propagate, logger.disabled = before.propagate, before.disabled
    logger.name = _NAME
    manager.loggerDict[_NAME] = logger
    for other in manager.loggerDict.values():
        if isinstance(other, logging.Logger) and other.parent is before:
            other.parent = logger
