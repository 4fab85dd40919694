"""TensorFlow's path to trackable objects."""

import typing as _typing

_MODULES = ("base", "data_structures", "python_state", "tracking", "util")


def __getattr__(name: str) -> _typing.Any:
    if name in _MODULES:
        from importlib import import_module

        return import_module(f"tinytf.python.training.tracking.{name}")
    raise AttributeError(f"module 'tinytf.python.training.tracking' has no attribute {name!r}")
