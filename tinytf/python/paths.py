"""Modules of the package under TensorFlow's paths.

Most paths have no file. `names_by_path.txt` lists the public names of TensorFlow 1.15's modules: a line `training.adam:
train.AdamOptimizer` says that `tensorflow.python.training.adam` has `AdamOptimizer`, which is `tf.train.AdamOptimizer`.
`contrib_names_by_path.txt` does the same for modules below `tensorflow.contrib` and names below `tf.contrib`;
`gen_names_by_path.txt` lists the op functions of modules such as `ops.gen_math_ops`. All other paths have files.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.api.modules_by_path import ModulesByPath


def _public(name: str) -> Any:
    return functools.reduce(getattr, name.split("."), sys.modules["tinytf"])


def _public_of_contrib(name: str) -> Any:
    return _public(f"contrib.{name}")


def _function_of_op(name: str) -> Any:
    return getattr(gen_ops, name)


_FOLDER = Path(__file__).parent
CONTRIB = ModulesByPath("tinytf.contrib", _FOLDER / "contrib_names_by_path.txt", _public_of_contrib)
BY_PATH = ModulesByPath("tinytf.python", _FOLDER / "names_by_path.txt", _public)
GENERATED = ModulesByPath("tinytf.python", _FOLDER / "gen_names_by_path.txt", _function_of_op)


def adopt(package: str, modules: dict[str, str]) -> None:
    """Makes existing modules importable as submodules of a package.

    Args:
      package: full name of the package.
      modules: full names of the modules, by their names in the package. A module that lacks names of the table is
        replaced by a new one that has the table's names, too.
    """
    for name, home in modules.items():
        module, path = import_module(home), f"{package}.{name}"
        if any(not hasattr(module, known) for known in BY_PATH.names(path)):
            module = BY_PATH.module(path, module)
        sys.modules[path] = module
        setattr(sys.modules[package], name, module)


def other_names(module: dict[str, Any]) -> Callable[[str], Any]:
    """The `__getattr__` of a module with a file, given its dictionary: looks up the names of the table that the file
    does not define."""
    return functools.partial(BY_PATH.load, module, None)
