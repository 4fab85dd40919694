"""Programs that say `import tensorflow as tf` run on tinytf, as they are: `python -m tinytf program.py`, or
`import tinytf.as_tensorflow` at the beginning of a notebook or of a `conftest.py`, or `pytest -p tinytf.as_tensorflow`.

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

from tinytf.api import class_modules

_NAME = "tensorflow"


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds tinytf's modules by TensorFlow's names: each module is there once, under two names. Classes say that they are
    of TensorFlow's modules."""

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
        """The spec that other finders have, of a module that will rename its classes when it is loaded."""
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
        module.__spec__ = module.__spec__.loader_state  # its own again


def _load_renamed(load: Callable[[types.ModuleType], None], module: types.ModuleType) -> None:
    load(module)
    class_modules.rename(module)


def _own(fullname: str) -> str:
    return "tinytf" + fullname[len(_NAME) :]


def _no_module(fullname: str) -> str:
    from tinytf.api.missing import why_missing

    return f"No module named {fullname!r}: {why_missing('tf' + fullname[len(_NAME) :])}"


def install() -> Any:
    """From now on `import tensorflow` gives this package, which it returns, `tf.__version__` is the version of TensorFlow
    whose programs it runs, `logging.getLogger("tensorflow")` is `tf.get_logger()`, and the `__module__` of classes is that of
    TensorFlow 1.15, by which libraries recognise tensors. To be called before anything imports TensorFlow: RuntimeError
    else. Further calls do nothing."""
    tinytf = importlib.import_module("tinytf")
    imported = sys.modules.get(_NAME)
    if imported is not None and imported is not tinytf:
        raise RuntimeError("TensorFlow itself has been imported in this process already")
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
        vars(tinytf).update(__version__=tinytf.VERSION)
        for module in [m for name, m in list(sys.modules.items()) if name.partition(".")[0] == "tinytf"]:
            class_modules.rename(module)
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


install()
