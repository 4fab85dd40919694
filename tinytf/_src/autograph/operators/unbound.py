"""Errors for variables without a value: for Python they are free variables of the functions that the
rewrite generated."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

_Operator = TypeVar("_Operator", bound=Callable[..., Any])

_TEXT = (
    "cannot access local variable '{}' where it is not associated with a value"
    if sys.version_info >= (3, 11)
    else "local variable '{}' referenced before assignment"
)


def reads_locals(operator: _Operator) -> _Operator:
    """Decorates an operator so that a NameError for a free variable of its function arguments becomes an
    UnboundLocalError."""

    @functools.wraps(operator)
    def call(*args: Any) -> Any:
        try:
            return operator(*args)
        except NameError as error:
            if type(error) is NameError and _is_local(error, args):
                raise UnboundLocalError(_TEXT.format(error.name)).with_traceback(error.__traceback__) from None
            raise

    return call  # type: ignore[return-value]


def _is_local(error: NameError, parts: tuple[Any, ...]) -> bool:
    """Whether one of the parts, functions generated from statements, raised the error for a variable that
    they share."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = None if traceback is None else traceback.tb_frame.f_code
    return any(
        isinstance(part, FunctionType) and part.__code__ is code and error.name in code.co_freevars for part in parts
    )
