"""`tf.contrib.eager`: gradients of Python functions, ways of execution, metrics, and names of what has become part of
TensorFlow itself.

Also importable as `tinytf.contrib.eager.python.tfe`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import tinytf
from tinytf.contrib.eager import metrics
from tinytf.contrib.eager.both_modes import (
    run_all_tests_in_graph_and_eager_modes,
    run_test_in_graph_and_eager_modes,
)
from tinytf.eager.contrib import (
    GradientTape,
    Variable,
    custom_gradient,
    defun,
    executing_eagerly,
    get_optimizer_variables,
    gradients_function,
    implicit_gradients,
    implicit_value_and_gradients,
    in_eager_mode,
    in_graph_mode,
    list_devices,
    make_template,
    make_vjp,
    num_gpus,
    value_and_gradients_function,
)
from tinytf.eager.execution_mode import async_clear_error, async_wait, execution_mode, set_execution_mode
from tinytf.eager.mode import (
    ASYNC,
    DEVICE_PLACEMENT_EXPLICIT,
    DEVICE_PLACEMENT_SILENT,
    DEVICE_PLACEMENT_WARN,
    SYNC,
    enable_eager_execution,
)
from tinytf.framework.tensor_spec import TensorSpec
from tinytf.ops.script.script_ops import py_function as py_func
from tinytf.variables.eager_store import EagerVariableStore

__all__ = [
    "ASYNC",
    "DEVICE_PLACEMENT_EXPLICIT",
    "DEVICE_PLACEMENT_SILENT",
    "DEVICE_PLACEMENT_WARN",
    "SYNC",
    "EagerVariableStore",
    "GradientTape",
    "TensorSpec",
    "Variable",
    "async_clear_error",
    "async_wait",
    "custom_gradient",
    "defun",
    "enable_eager_execution",
    "executing_eagerly",
    "execution_mode",
    "get_optimizer_variables",
    "gradients_function",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "in_eager_mode",
    "in_graph_mode",
    "list_devices",
    "make_template",
    "make_vjp",
    "metrics",
    "num_gpus",
    "py_func",
    "run",
    "run_all_tests_in_graph_and_eager_modes",
    "run_test_in_graph_and_eager_modes",
    "set_execution_mode",
    "value_and_gradients_function",
]


def run(main: Callable[[list[str]], Any] | None = None, argv: list[str] | None = None) -> None:
    """Enables eager execution and runs `main(argv)`, by default the `main` of the program with its arguments. Exits with
    what it returns."""
    tinytf.enable_eager_execution()
    main = main or sys.modules["__main__"].main
    sys.exit(main(sys.argv if argv is None else argv))
