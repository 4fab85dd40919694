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


def loop_options(function: Callable[..., Any], *args: Any, **kwargs: Any) -> dict[str, Any]:
    """What a call says of the loop around it, which is made in its stead."""
    if function is not set_loop_options:
        function(*args, **kwargs)
        return {}
    names = ("parallel_iterations", "back_prop", "swap_memory", "maximum_iterations")
    given = {**dict(zip(names, args)), **kwargs}
    set_loop_options(*args, **kwargs)
    return {name: value for name, value in given.items() if value is not _UNSPECIFIED}
