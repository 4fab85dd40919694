"""TensorFlow's path to eager execution: `context`, `backprop` and `function`."""

import typing as _typing


def __getattr__(name: str) -> _typing.Any:
    if name in ("backprop", "context", "function"):
        from importlib import import_module

        return import_module(f"tinytf.python.eager.{name}")
    raise AttributeError(f"module 'tinytf.python.eager' has no attribute {name!r}")
