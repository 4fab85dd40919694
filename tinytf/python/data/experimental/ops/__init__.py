"""TensorFlow's path to the modules of experimental transformations. Most of them are listed in `names_by_path.txt`."""

import typing as _typing


def __getattr__(name: str) -> _typing.Any:
    if name == "snapshot":
        from importlib import import_module

        return import_module(f"tinytf.python.data.experimental.ops.{name}")
    raise AttributeError(f"module 'tinytf.python.data.experimental.ops' has no attribute {name!r}")
