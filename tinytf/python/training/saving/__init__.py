"""TensorFlow's path to `saveable_object`."""

import typing as _typing


def __getattr__(name: str) -> _typing.Any:
    if name == "saveable_object":
        from importlib import import_module

        return import_module("tinytf.python.training.saving.saveable_object")
    raise AttributeError(f"module 'tinytf.python.training.saving' has no attribute {name!r}")
