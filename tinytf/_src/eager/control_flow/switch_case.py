"""`tf.switch_case`: selects one of several functions by number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.eager.control_flow.branches import build_branches
from tinytf._src.eager.control_flow.version import hand_down
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope

__all__ = ["switch_case"]


@tf_export("switch_case")
@called_by_users
def switch_case(
    branch_index: Any, branch_fns: Any, default: Callable[[], Any] | None = None, name: str = "switch_case"
) -> Any:
    """Calls the function number `branch_index`, or `default` if there is none.

    In graphs all functions are called once, to build the branches, and one branch runs. In eager execution only the
    selected function is called.

    Args:
      branch_index: an integer scalar tensor.
      branch_fns: callables without arguments: a list, or a dict or list of pairs from numbers to callables, with the
        numbers 0 to n - 1. All must return the same structure of tensors of the same dtypes.
      default: callable for numbers out of range; None: the last function.
      name: str, the name scope.

    Returns:
      The result of the selected function.

    Raises:
      TypeError: for arguments of other types, and for branches whose structures or dtypes differ.
      ValueError: if `branch_fns` is empty or its numbers are not contiguous from 0.

    Example:
      index = tf.constant(1)
      tf.switch_case(index, [lambda: tf.constant(10), lambda: tf.constant(20)])  # a tensor with the value 20
    """
    functions = _functions(branch_index, branch_fns, default)
    with name_scope(name, "case", [branch_index]):
        if executing_eagerly():
            index = int(branch_index)
            return functions[index if 0 <= index < len(functions) else -1]()
        hand_down()
        with name_scope("indexed_case") as scope:
            return build_branches(branch_index, functions, scope, is_if=False)


def _functions(branch_index: Any, branch_fns: Any, default: Any) -> list[Callable[[], Any]]:
    if not isinstance(branch_index, Tensor):
        raise TypeError(f"branch_index must a Tensor, got {type(branch_index)}")
    if not branch_index.dtype.is_integer:
        raise TypeError(f"branch_index must an integer Tensor, got {branch_index.dtype}")
    if not branch_fns:
        raise ValueError("Must provide at least one item in branch_fns")
    if not isinstance(branch_fns, (list, tuple, dict)):
        raise TypeError("branch_fns must be a list, tuple, or dict")
    pairs = list(branch_fns.items()) if isinstance(branch_fns, dict) else list(branch_fns)
    if all(callable(function) for function in pairs):
        pairs = list(enumerate(pairs))
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in branch_fns must be a 2-tuple")
        key, function = pair
        if not isinstance(key, int):
            raise TypeError(f"key must be a Python `int`, got {type(key)}")
        if not callable(function):
            raise TypeError(f"fn for key {key} must be callable.")
    keys = sorted(key for key, _ in pairs)
    if keys != list(range(len(keys))):
        raise ValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(keys)}) but found {{{','.join(map(str, keys))}}}"
        )
    by_key = dict(pairs)
    return [by_key[key] for key in keys] + ([] if default is None else [default])
