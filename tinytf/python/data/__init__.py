"""TensorFlow's path to datasets."""

import typing as _typing


def __getattr__(name: str) -> _typing.Any:
    if name in ("experimental", "ops", "util"):
        from importlib import import_module

        return import_module(f"tinytf.python.data.{name}")
    raise AttributeError(f"module 'tinytf.python.data' has no attribute {name!r}")
