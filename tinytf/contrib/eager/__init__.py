"""`tf.contrib.eager`: gradients of Python functions, execution modes, metrics, savers, and aliases of public TensorFlow
names.

Also importable as `tinytf.contrib.eager.python.tfe`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.contrib.eager import metrics
from tinytf.contrib.eager.both_modes import (
    run_all_tests_in_graph_and_eager_modes,
    run_test_in_graph_and_eager_modes,
)
from tinytf.contrib.eager.datasets import Iterator
from tinytf.contrib.eager.renamed import get_optimizer_variables, in_graph_mode, make_template
from tinytf.contrib.eager.saver import Saver
from tinytf.python.eager.backprop import gradients_function, make_vjp
from tinytf.python.eager.backprop import implicit_grad as implicit_gradients
from tinytf.python.eager.backprop import implicit_val_and_grad as implicit_value_and_gradients
from tinytf.python.eager.backprop import val_and_grad_function as value_and_gradients_function
from tinytf.python.eager.context import (
    ASYNC,
    DEVICE_PLACEMENT_EXPLICIT,
    DEVICE_PLACEMENT_SILENT,
    DEVICE_PLACEMENT_WARN,
    SYNC,
    async_clear_error,
    async_wait,
    execution_mode,
    in_eager_mode,
    list_devices,
    num_gpus,
    set_execution_mode,
)
from tinytf.python.eager.function import defun
from tinytf.python.missing import no_other_names
from tinytf.python.ops.resource_variable_ops import ResourceVariable as Variable
from tinytf.python.ops.variable_scope import EagerVariableStore
from tinytf.python.training.checkpoint_utils import restore_variables_on_create
from tinytf.python.training.tracking.tracking import AutoTrackable as Checkpointable

Checkpoint = tf.train.Checkpoint
GradientTape = tf.GradientTape
TensorSpec = tf.TensorSpec
custom_gradient = tf.custom_gradient
enable_eager_execution = tf.enable_eager_execution
executing_eagerly = tf.executing_eagerly
py_func = tf.py_function

__all__ = [
    "ASYNC",
    "DEVICE_PLACEMENT_EXPLICIT",
    "DEVICE_PLACEMENT_SILENT",
    "DEVICE_PLACEMENT_WARN",
    "SYNC",
    "Checkpoint",
    "Checkpointable",
    "EagerVariableStore",
    "GradientTape",
    "Iterator",
    "Saver",
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
    "restore_variables_on_create",
    "run",
    "run_all_tests_in_graph_and_eager_modes",
    "run_test_in_graph_and_eager_modes",
    "set_execution_mode",
    "value_and_gradients_function",
]
__getattr__ = no_other_names(__name__)


def run(main: Callable[[list[str]], Any] | None = None, argv: list[str] | None = None) -> None:
    """Enables eager execution, calls `main(argv)` and exits with its result.

    Args:
      main: function of the argument list; the `main` of the main module if None.
      argv: list of strings; `sys.argv` if None.

    Raises:
      SystemExit: always.
    """
    tf.enable_eager_execution()
    main = main or sys.modules["__main__"].main
    sys.exit(main(sys.argv if argv is None else argv))
