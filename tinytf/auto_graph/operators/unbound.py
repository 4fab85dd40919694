"""Variables without a value: Python takes them for those of a function around, where a rewrite made functions of statements."""

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
    """The operator, which says of a variable without a value what Python says of one of the function that calls it."""

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
    """Whether one of the parts, functions that were statements, raised it for a variable that they share."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = None if traceback is None else traceback.tb_frame.f_code
    return any(
        isinstance(part, FunctionType) and part.__code__ is code and error.name in code.co_freevars for part in parts
    )
