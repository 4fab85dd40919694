"""TensorFlow's path to the base class of layers."""

import typing as _typing


def __getattr__(name: str) -> _typing.Any:
    if name == "base":
        from importlib import import_module

        return import_module("tinytf.python.layers.base")
    raise AttributeError(f"module 'tinytf.python.layers' has no attribute {name!r}")
