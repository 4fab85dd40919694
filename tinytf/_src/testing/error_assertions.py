"""Assertions about exceptions, in particular `OpError`s."""

from __future__ import annotations

import re
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.operation import Operation


class ErrorAssertions(unittest.TestCase):
    """Assertions that a body raises."""

    @contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type: Any, expected_err_re_or_predicate: Any) -> Iterator[None]:
        """Context manager that asserts that its body raises a matching exception.

        Args:
          exception_type: an exception class or a tuple of them.
          expected_err_re_or_predicate: a callable that takes the exception and returns a bool, or a pattern to search
            in its text. The text of an `OpError` includes the names of the operations that led to the failing one.
        """
        if callable(expected_err_re_or_predicate):
            matches = expected_err_re_or_predicate
        else:
            matches = lambda e: re.search(expected_err_re_or_predicate, _error_text(e))  # noqa: E731
        try:
            yield
        except exception_type as e:
            if not matches(e):
                raise AssertionError(f"Exception of type {type(e)}: {e}") from e
        else:
            self.fail(f"{getattr(exception_type, '__name__', exception_type)} not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """`assertRaisesWithPredicateMatch` for `tf.errors.OpError`."""
        return self.assertRaisesWithPredicateMatch(errors_impl.OpError, expected_err_re_or_predicate)


def _error_text(error: BaseException) -> str:
    if not isinstance(error, errors_impl.OpError):
        return str(error)
    text, op = error.message, error.op
    while isinstance(op, Operation):
        text += f"\nCaused by: {op.name}"
        op = getattr(op, "_original_op", None)
    return text
