"""Assertions that happen while a graph runs."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.conversion import convert_n_to_tensor, convert_to_tensor
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.name_scope import name_scope
from tinytf.framework.operation import Operation
from tinytf.framework.should_use import should_use_result
from tinytf.ops.control_flow.conditional import cond
from tinytf.ops.control_flow.dependencies import no_op

__all__ = ["Assert"]

_SUMMARIZE = 3  # elements of each tensor that are shown


@tf_export("debugging.Assert", "Assert")
@called_by_users
@should_use_result
def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> Operation:
    """An operation that fails with InvalidArgumentError, showing `data`, when it runs and `condition` is False.

    `summarize` is how many elements of each tensor are shown (3). Data other than text and int32 is only taken where the
    assertion fails. In eager execution: returns None, or raises at once.
    """
    if executing_eagerly():
        if not condition:
            from tinytf.ops.logging import eager_checks

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
