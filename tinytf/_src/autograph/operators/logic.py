"""Operators for `and`, `or`, `not`, comparisons, conditional expressions and assertions."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.autograph.operators.branches import merged
from tinytf._src.autograph.operators.tensors import is_dense, is_staged
from tinytf._src.autograph.operators.unbound import reads_locals
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.ops.control_flow.assertions import Assert
from tinytf._src.ops.control_flow.conditional import cond

_Later = Callable[[], Any]


@called_by_users
@reads_locals
def and_(value: Any, *rest: _Later) -> Any:
    """`value and rest[0]() and …`."""
    for i, later in enumerate(rest):
        if is_staged(value):
            return cond(value, lambda: and_(later(), *rest[i + 1 :]), lambda: value)  # noqa: B023
        if not value:
            return value
        value = later()
    return value


@called_by_users
@reads_locals
def or_(value: Any, *rest: _Later) -> Any:
    """`value or rest[0]() or …`."""
    for i, later in enumerate(rest):
        if is_staged(value):
            return cond(value, lambda: value, lambda: or_(later(), *rest[i + 1 :]))  # noqa: B023
        if value:
            return value
        value = later()
    return value


@called_by_users
def not_(value: Any) -> Any:
    """`not value`."""
    return gen_ops.logical_not(value) if is_staged(value) else not value


@called_by_users
@reads_locals
def if_exp(test: Any, body: _Later, orelse: _Later, text: str) -> Any:
    """`body() if test else orelse()`; `text` is its source, for messages."""
    if not is_staged(test):
        return body() if test else orelse()
    return merged(test, ("if", lambda: [body()]), ("else", lambda: [orelse()]), [text])[0]


def none_of(*flags: Any) -> Any:
    """Whether no flag is set: a bool, or a bool tensor if some flags are tensors and no other flag is set."""
    tensors = [flag for flag in flags if is_staged(flag)]
    if any(flag for flag in flags if not is_staged(flag)):
        return False
    if not tensors:
        return True
    found = tensors[0]
    for tensor in tensors[1:]:
        found = gen_ops.logical_or(found, tensor)
    return gen_ops.logical_not(found)


@called_by_users
@reads_locals
def checked(test: Any, message: _Later | None = None) -> Any:
    """Operand of a rewritten `assert`: the test itself, or, for a tensor, True after adding an assertion operation."""
    if not is_staged(test):
        return test
    shown = "Assertion error" if message is None else message()
    Assert(test, shown if isinstance(shown, list) else [shown])
    return True


class Comparisons:
    """`==` and `!=`, which compare tensors by value if `by_value()`, and chained comparisons."""

    def __init__(self, by_value: Callable[[], bool]) -> None:
        self._by_value = by_value
        self._operators: dict[str, Callable[[Any, Any], Any]] = {
            "==": self.eq,
            "!=": self.not_eq,
            "<": operator.lt,
            "<=": operator.le,
            ">": operator.gt,
            ">=": operator.ge,
            "is": operator.is_,
            "is not": operator.is_not,
            "in": lambda a, b: a in b,
            "not in": lambda a, b: a not in b,
        }

    @called_by_users
    def eq(self, a: Any, b: Any) -> Any:
        """`a == b`."""
        return gen_ops.equal(a, b) if self._are_tensors(a, b) else a == b

    @called_by_users
    def not_eq(self, a: Any, b: Any) -> Any:
        """`a != b`."""
        return gen_ops.not_equal(a, b) if self._are_tensors(a, b) else a != b

    def _are_tensors(self, a: Any, b: Any) -> bool:
        return self._by_value() and (is_dense(a) or is_dense(b)) and a is not None and b is not None

    @called_by_users
    def chain(self, left: Any, name: str, right: Any, *rest: Any) -> Any:
        """`left name right and right rest[0] rest[1]() and …`, where each operand is evaluated at most once."""
        first = self._operators[name](left, right)
        if not rest:
            return first
        return and_(first, lambda: self.chain(right, rest[0], rest[1](), *rest[2:]))
