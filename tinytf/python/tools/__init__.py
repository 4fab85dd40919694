"""TensorFlow's path to tools that transform graphs and inspect models and checkpoints."""

import typing as _typing


def __getattr__(name: str) -> _typing.Any:
    if name in (
        "freeze_graph",
        "import_pb_to_tensorboard",
        "inspect_checkpoint",
        "optimize_for_inference_lib",
        "saved_model_cli",
        "saved_model_utils",
        "strip_unused_lib",
    ):
        from importlib import import_module

        return import_module(f"tinytf.python.tools.{name}")
    raise AttributeError(f"module 'tinytf.python.tools' has no attribute {name!r}")
