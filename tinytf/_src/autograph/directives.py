"""Loop directives: `tf.autograph.experimental.set_loop_options`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.exports import tf_export

_UNSPECIFIED = object()


@tf_export("autograph.experimental.set_loop_options")
def set_loop_options(
    parallel_iterations: Any = _UNSPECIFIED,
    back_prop: Any = _UNSPECIFIED,
    swap_memory: Any = _UNSPECIFIED,
    maximum_iterations: Any = _UNSPECIFIED,
) -> None:
    """Sets options of the enclosing loop; to be called in the loop body of converted code.

    If the loop becomes a `tf.while_loop`, the options are passed to it; otherwise the call has no effect.

    Args:
      parallel_iterations: int, as in `tf.while_loop`.
      back_prop: bool, as in `tf.while_loop`.
      swap_memory: bool, as in `tf.while_loop`.
      maximum_iterations: int or int tensor, as in `tf.while_loop`.
    """


def loop_options(function: Any, given: Callable[[Callable[..., Any]], dict[str, Any]]) -> dict[str, Any]:
    """Returns the `tf.while_loop` arguments that a call of `function` sets: none unless it is `set_loop_options`.

    `given` calls the function that it is passed with the arguments of that call.
    """
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
