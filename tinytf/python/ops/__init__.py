"""TensorFlow's path to some modules of ops and variables."""

import typing as _typing

from tinytf.python.paths import adopt as _adopt

_adopt(
    __name__,
    {
        "array_ops": "tinytf._src.ops.array_ops",
        "confusion_matrix": "tinytf._src.ops.nn.confusion_matrix",
        "control_flow_ops": "tinytf._src.ops.control_flow_ops",
        "math_ops": "tinytf._src.ops.math_ops",
        "resource_variable_ops": "tinytf._src.variables.resource_variable",
        "weights_broadcast_ops": "tinytf._src.ops.nn.weights_broadcast_ops",
    },
)


_LATER = (
    "data_flow_ops",
    "metrics_impl",
    "resources",
    "rnn",
    "rnn_cell",
    "rnn_cell_impl",
    "sparse_ops",
    "variable_scope",
)  # modules of this package, loaded at first use


def __getattr__(name: str) -> _typing.Any:
    if name in _LATER:
        from importlib import import_module

        return import_module(f"tinytf.python.ops.{name}")
    raise AttributeError(f"module 'tinytf.python.ops' has no attribute {name!r}")
