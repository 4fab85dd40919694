"""Modules of the package under TensorFlow's paths.

Most paths are no file: `names_by_path.txt` has, for modules of TensorFlow 1.15, the public names that programs find
there: a line `training.adam: train.AdamOptimizer` says that `tensorflow.python.training.adam` has `AdamOptimizer`, which
is `tf.train.AdamOptimizer`. `contrib_names_by_path.txt` has those below `tensorflow.contrib`, and what they are in
`tf.contrib`; `gen_names_by_path.txt` the functions of ops in modules such as `ops.gen_math_ops`. What else a path leads to
stands in files.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from tinytf._gen import gen_ops
from tinytf.api.modules_by_path import ModulesByPath


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
    """Makes modules importable as parts of a package: its names for them, and their own full names. In the place of one
    that lacks names of the table comes a module that has these, too."""
    for name, home in modules.items():
        module, path = import_module(home), f"{package}.{name}"
        if any(not hasattr(module, known) for known in BY_PATH.names(path)):
            module = BY_PATH.module(path, module)
        sys.modules[path] = module
        setattr(sys.modules[package], name, module)


def other_names(module: dict[str, Any]) -> Callable[[str], Any]:
    """The `__getattr__` of a module in a file, of which this is the dictionary: names of the table that it does not
    define."""
    return functools.partial(BY_PATH.load, module, None)
