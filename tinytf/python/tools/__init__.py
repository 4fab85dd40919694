"""TensorFlow's path to what makes other graphs of graphs."""

import typing as _typing


def __getattr__(name: str) -> _typing.Any:
    if name in ("freeze_graph", "inspect_checkpoint", "optimize_for_inference_lib", "strip_unused_lib"):
        from importlib import import_module

        return import_module(f"tinytf.python.tools.{name}")
    raise AttributeError(f"module 'tinytf.python.tools' has no attribute {name!r}")
