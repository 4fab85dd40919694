"""The modules that classes of TensorFlow 1.15 say they are of: `tensorflow.python.framework.ops` for `tf.Tensor`."""

from __future__ import annotations

import functools
import types
from pathlib import Path

_TABLE = Path(__file__).with_name("class_modules.txt")  # lines `python.framework.ops: Graph Tensor`, of public names


def rename(module: types.ModuleType) -> None:
    """Gives the classes that a module of this package has defined the `__module__` that they have in TensorFlow 1.15, or a
    name below `tensorflow` if they are not public there. Both can be imported, so that they can be pickled."""
    for value in list(vars(module).values()):
        if isinstance(value, type) and str(value.__module__).partition(".")[0] == "tinytf":
            own = value.__module__
            value.__module__ = _modules().get((own, value.__qualname__)) or own.replace("tinytf", "tensorflow", 1)


@functools.cache
def _modules() -> dict[tuple[str, str], str]:
    """By own module and name of the class."""
    from tinytf._gen.public_names import PLACES

    found = {}
    for line in _TABLE.read_text().splitlines():
        path, _, names = line.partition(": ")
        for name in names.split():
            home, _, attribute = PLACES[name].partition(":")
            found["tinytf" + home if home[0] == "." else home, attribute] = f"tensorflow.{path}"
    return found
