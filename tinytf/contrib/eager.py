"""`tf.contrib.eager`: gradients of Python functions, and names of what has become part of TensorFlow itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import tinytf
from tinytf.eager.contrib import (
    GradientTape,
    Variable,
    custom_gradient,
    defun,
    executing_eagerly,
    gradients_function,
    implicit_gradients,
    implicit_value_and_gradients,
    in_eager_mode,
    in_graph_mode,
    list_devices,
    make_vjp,
    num_gpus,
    value_and_gradients_function,
)

__all__ = [
    "GradientTape",
    "Variable",
    "custom_gradient",
    "defun",
    "executing_eagerly",
    "gradients_function",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "in_eager_mode",
    "in_graph_mode",
    "list_devices",
    "make_vjp",
    "num_gpus",
    "run",
    "value_and_gradients_function",
]


def run(main: Callable[[list[str]], Any] | None = None, argv: list[str] | None = None) -> None:
    """Enables eager execution and runs `main(argv)`, by default the `main` of the program with its arguments. Exits with
    what it returns."""
    tinytf.enable_eager_execution()
    main = main or sys.modules["__main__"].main
    sys.exit(main(sys.argv if argv is None else argv))
