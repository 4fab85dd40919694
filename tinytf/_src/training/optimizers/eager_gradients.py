"""Gradients of a loss function in eager execution."""

from __future__ import annotations

from typing import Any


def eager_gradients(loss: Any, var_list: list[Any] | None, grad_loss: Any) -> list[tuple[Any, Any]]:
    """Returns pairs (gradient, variable) for the given variables, or for the trainable ones that `loss()` reads.

    Raises RuntimeError if `loss` is not callable.
    """
    if not callable(loss):
        raise RuntimeError(
            "`loss` passed to Optimizer.compute_gradients should be a function when eager execution is enabled."
        )
    from tinytf._src.eager import backprop  # Imported here because most programs build graphs.

    with backprop.GradientTape() as tape:
        if var_list is not None:
            tape.watch(var_list)
        value = loss()
    if var_list is None:
        var_list = list(tape.watched_variables())
    return list(zip(tape.gradient(value, var_list, grad_loss), var_list, strict=True))
