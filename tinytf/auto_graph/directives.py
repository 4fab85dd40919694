"""What a loop says of itself: `tf.autograph.experimental.set_loop_options`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf.exports import tf_export

_UNSPECIFIED = object()


@tf_export("autograph.experimental.set_loop_options")
def set_loop_options(
    parallel_iterations: Any = _UNSPECIFIED,
    back_prop: Any = _UNSPECIFIED,
    swap_memory: Any = _UNSPECIFIED,
    maximum_iterations: Any = _UNSPECIFIED,
) -> None:
    """Called in a loop's body: arguments of the `tf.while_loop` that this becomes, if it becomes one."""


def loop_options(function: Any, given: Callable[[Callable[..., Any]], dict[str, Any]]) -> dict[str, Any]:
    """What a call of a function says of the loop around it, if it is `set_loop_options`: `given` calls another function
    with its arguments."""
    return given(_options) if function is set_loop_options else {}


def _options(
    parallel_iterations: Any = _UNSPECIFIED,
    back_prop: Any = _UNSPECIFIED,
    swap_memory: Any = _UNSPECIFIED,
    maximum_iterations: Any = _UNSPECIFIED,
) -> dict[str, Any]:
    options = {
        "parallel_iterations": parallel_iterations,
        "back_prop": back_prop,
        "swap_memory": swap_memory,
        "maximum_iterations": maximum_iterations,
    }
    return {name: value for name, value in options.items() if value is not _UNSPECIFIED}
