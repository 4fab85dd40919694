"""TensorFlow's path to some modules of operations and variables."""

import typing as _typing

from tinytf.python.paths import adopt as _adopt

_adopt(
    __name__,
    {
        "confusion_matrix": "tinytf.ops.nn.confusion_matrix",
        "control_flow_ops": "tinytf.ops.control_flow_ops",
        "resource_variable_ops": "tinytf.variables.resource_variable",
    },
)


def __getattr__(name: str) -> _typing.Any:
    if name == "variable_scope":
        from importlib import import_module

        return import_module("tinytf.python.ops.variable_scope")
    raise AttributeError(f"module 'tinytf.python.ops' has no attribute {name!r}")
