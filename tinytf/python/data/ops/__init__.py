"""TensorFlow's path to datasets, iterators, optionals and readers."""

import typing as _typing


def __getattr__(name: str) -> _typing.Any:
    if name in ("dataset_ops", "iterator_ops", "optional_ops", "readers"):
        from importlib import import_module

        return import_module(f"tinytf.python.data.ops.{name}")
    raise AttributeError(f"module 'tinytf.python.data.ops' has no attribute {name!r}")
