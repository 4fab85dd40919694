"""Names in `tf.contrib.eager` of functions that TensorFlow has under other names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.python.eager.function import defun

__all__ = ["get_optimizer_variables", "in_graph_mode", "make_template"]


def in_graph_mode() -> bool:
    """Whether operations are added to a graph instead of executed eagerly."""
    return not tf.executing_eagerly()


def get_optimizer_variables(optimizer: Any) -> list[Any]:
    """Returns the variables that an optimizer created."""
    return optimizer.variables()


def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Any = None,
    create_graph_function_: bool = False,
    **kwargs: Any,
) -> Any:
    """`tf.make_template`; with `create_graph_function_`, `func_` is traced by `defun`."""
    if create_graph_function_:
        func_ = defun(func_)
    return tf.make_template(name_, func_, create_scope_now_, unique_name_, custom_getter_=custom_getter_, **kwargs)
