"""TensorFlow's path to plugin assets."""

import typing as _typing


def __getattr__(name: str) -> _typing.Any:
    if name == "plugin_asset":
        from importlib import import_module

        return import_module("tinytf.python.summary.plugin_asset")
    raise AttributeError(f"module 'tinytf.python.summary' has no attribute {name!r}")
