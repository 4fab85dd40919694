"""Sets `__module__` of classes to TensorFlow 1.15's module: `tensorflow.python.framework.ops` for `tf.Tensor`."""

from __future__ import annotations

import functools
import types
from pathlib import Path

# Lines such as `python.framework.ops: Graph Tensor`, with public names, or with places of classes that have none:
# `._src.framework.registries.registry:Registry`.
_TABLE = Path(__file__).with_name("class_modules.txt")


def rename(module: types.ModuleType) -> None:
    """Sets `__module__` of the classes that a module of this package defines to TensorFlow 1.15's module, or to the own
    module's name below `tensorflow` if TensorFlow does not export the class. Both can be imported, so that instances
    can be pickled."""
    for value in list(vars(module).values()):
        if isinstance(value, type) and str(value.__module__).partition(".")[0] == "tinytf":
            own = value.__module__
            value.__module__ = _modules().get((own, value.__qualname__)) or own.replace("tinytf", "tensorflow", 1)


@functools.cache
def _modules() -> dict[tuple[str, str], str]:
    """TensorFlow's module names, keyed by (own module, class name)."""
    from tinytf._gen.public_names import PLACES

    found = {}
    for line in _TABLE.read_text().splitlines():
        path, _, names = line.partition(": ")
        for name in names.split():
            home, _, attribute = (name if ":" in name else PLACES[name]).partition(":")
            found["tinytf" + home if home[0] == "." else home, attribute] = f"tensorflow.{path}"
            if ":" not in name:
                namespace, _, last = f"tinytf.{name}".rpartition(".")
                found[namespace, last] = f"tensorflow.{path}"  # of classes that give their public place
    return found
