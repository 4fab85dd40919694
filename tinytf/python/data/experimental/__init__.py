"""TensorFlow's path to experimental transformations of datasets."""

import typing as _typing


def __getattr__(name: str) -> _typing.Any:
    if name == "ops":
        from importlib import import_module

        return import_module(f"tinytf.python.data.experimental.{name}")
    raise AttributeError(f"module 'tinytf.python.data.experimental' has no attribute {name!r}")
