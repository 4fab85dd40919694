"""Assertions that are checked when the graph runs."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.apply.should_use import should_use_result
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_n_to_tensor, convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.control_flow.dependencies import no_op

__all__ = ["Assert"]

_SUMMARIZE = 3  # Default number of elements to print per tensor.


@tf_export("debugging.Assert", "Assert")
@called_by_users
@should_use_result
def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> Operation:
    """Creates an operation that fails with InvalidArgumentError, printing `data`, if `condition` is False when it runs.

    In eager execution the check is immediate.

    Args:
      condition: bool scalar.
      data: list of tensors to print. Unless all are strings or int32, they are copied only if the assertion fails.
      summarize: optional int, number of elements to print per tensor; defaults to 3.
      name: optional name of the name scope.

    Returns:
      An operation; None in eager execution.

    Raises:
      InvalidArgumentError: in eager execution, if `condition` is False.
    """
    if executing_eagerly():
        if not condition:
            from tinytf._src.ops.logging import eager_checks

            eager_checks.fail_assertion(condition, data, summarize)
        return None  # type: ignore[return-value]

    def check() -> Operation:
        shown = _SUMMARIZE if summarize is None else summarize
        return gen_ops.assert_(condition, data, summarize=shown, name="Assert")

    with name_scope(name, "Assert", [condition, data]):
        tensors = convert_n_to_tensor(data)
        if all(t.dtype in (dtypes.string, dtypes.int32) for t in tensors):
            return check()
        condition = convert_to_tensor(condition, name="Condition")
        return cond(condition, no_op, check, name="AssertGuard").op
