"""TensorFlow's path to savers and to the states of their folders: `saver` and `checkpoint_management`."""

import typing as _typing


def __getattr__(name: str) -> _typing.Any:
    if name in ("checkpoint_management", "checkpoint_utils", "saver", "saving", "tracking"):
        from importlib import import_module

        return import_module(f"tinytf.python.training.{name}")
    raise AttributeError(f"module 'tinytf.python.training' has no attribute {name!r}")
