"""TensorFlow's path to `session`, `device_lib` and `timeline`."""

import typing as _typing


def __getattr__(name: str) -> _typing.Any:
    if name in ("device_lib", "session", "timeline"):
        from importlib import import_module

        return import_module(f"tinytf.python.client.{name}")
    raise AttributeError(f"module 'tinytf.python.client' has no attribute {name!r}")
