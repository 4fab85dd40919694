"""Runs programs that say `import tensorflow as tf` unchanged on tinytf: `python -m tinytf program.py`, or `import
tinytf.as_tensorflow` at the beginning of a notebook or of a `conftest.py`, or `pytest -p tinytf.as_tensorflow`.

Importing this module calls `install()`.
"""

from __future__ import annotations

import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import logging
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

from tinytf._src.api import class_modules

_NAME = "tensorflow"


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds tinytf's modules under TensorFlow's names; both names refer to the same module object. Also sets
    `__module__` of classes to TensorFlow's modules."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        root = fullname.partition(".")[0]
        if root == "tinytf":
            return self._spec_of_own(fullname, path, target)
        if root != _NAME:
            return None
        try:
            importlib.import_module(_own(fullname))
        except ModuleNotFoundError as e:
            if e.name is None or not _own(fullname).startswith(e.name):
                raise
            raise ModuleNotFoundError(_no_module(fullname), name=fullname) from None
        return importlib.util.spec_from_loader(fullname, self)

    def _spec_of_own(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec that another finder returns for a module of tinytf, changed so that loading it renames the module's
        classes."""
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(fullname, path, target)
            if spec is not None:
                if isinstance(spec.loader, importlib.machinery.SourceFileLoader):
                    spec.loader.exec_module = functools.partial(_load_renamed, spec.loader.exec_module)  # type: ignore[method-assign]
                return spec
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = importlib.import_module(_own(spec.name))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state  # restores the module's own spec


def _load_renamed(load: Callable[[types.ModuleType], None], module: types.ModuleType) -> None:
    load(module)
    class_modules.rename(module)


def _own(fullname: str) -> str:
    return "tinytf" + fullname[len(_NAME) :]


def _no_module(fullname: str) -> str:
    from tinytf._src.api.missing import why_missing

    return f"No module named {fullname!r}: {why_missing('tf' + fullname[len(_NAME) :])}"


def install() -> Any:
    """Makes `import tensorflow` return this package in the whole process.

    Also sets `tf.__version__` to the supported version of TensorFlow, makes `logging.getLogger("tensorflow")` the
    logger of `tf.get_logger()`, and sets `__module__` of classes to TensorFlow 1.15's modules, by which libraries
    recognize tensors. Further calls do nothing.

    Returns:
      The package `tinytf`.

    Raises:
      RuntimeError: if TensorFlow itself was imported before.
    """
    tinytf = importlib.import_module("tinytf")
    imported = sys.modules.get(_NAME)
    if imported is not None and imported is not tinytf:
        raise RuntimeError("TensorFlow itself has already been imported in this process")
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
        vars(tinytf).update(__version__=tinytf.VERSION)
        for module in [m for name, m in list(sys.modules.items()) if name.partition(".")[0] == "tinytf"]:
            class_modules.rename(module)
        _name_logger()
    return tinytf


def _name_logger() -> None:
    """Registers the package's logger under TensorFlow's name, which programs use to configure it and which log lines
    show. Handlers, filters and level of the logger that had this name before are taken over, and its child loggers are
    reattached."""
    # Gives the logger its handler, which TensorFlow's logger has from the start, too.
    importlib.import_module("tinytf._src.framework.logs.tf_logging")
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


install()
