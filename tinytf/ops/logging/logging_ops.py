"""Assertions and prints that happen while a graph runs."""

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
from tinytf.framework.tensor import Tensor
from tinytf.ops.control_flow.dependencies import no_op

_SUMMARIZE = 3  # elements of each tensor that are shown
_cond: Any = None


def cond_function() -> Any:
    """`tf.cond` if the package has it: here it only saves work, so that its absence changes no result."""
    return _cond


def save_work_by(cond: Any) -> None:
    """From now on `cond` is what `cond_function` gives; for the module that defines it, as it stands above this one."""
    global _cond
    _cond = cond


@tf_export("debugging.Assert", "Assert")
def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> Operation:
    """An operation that fails with InvalidArgumentError, showing `data`, when it runs and `condition` is False.

    `summarize` is how many elements of each tensor are shown (3). Data other than text and int32 is only computed when
    the assertion fails. In eager execution: returns None, or raises at once.
    """
    if executing_eagerly():
        if not condition:
            from tinytf.ops.logging import eager_checks

            eager_checks.fail_assertion(condition, data, summarize)
        return None  # type: ignore[return-value]
    shown = _SUMMARIZE if summarize is None else summarize
    with name_scope(name, "Assert", [condition, data]):
        tensors = convert_n_to_tensor(data)
        if all(t.dtype in (dtypes.string, dtypes.int32) for t in tensors):
            condition = convert_to_tensor(condition, name="Condition")
            return gen_ops.assert_(condition, data, summarize=shown, name="Assert")
        condition = convert_to_tensor(condition, name="Condition")

        def fail() -> Operation:
            return gen_ops.assert_(condition, data, summarize=shown, name="Assert")

        cond = cond_function()
        return fail() if cond is None else cond(condition, no_op, fail, name="AssertGuard").op


@tf_export("Print")
@called_by_users
def Print(
    input_: Any,
    data: Any,
    message: str | None = None,
    first_n: int | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Tensor:
    """A copy of `input_` that writes `message` and the values of the tensors in `data` to stderr each time it runs.

    `first_n` limits how often, `summarize` how many elements of each tensor are shown (3).
    """
    return gen_ops.print(input_, data, message=message, first_n=first_n, summarize=summarize, name=name)
