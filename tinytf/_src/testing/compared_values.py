"""Values that a test compares: arrays, and structures of them."""

from __future__ import annotations

import unittest
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values.numpy_compat import array_of


def array(value: Any) -> np.ndarray:
    """Returns the value as an array."""
    return value if isinstance(value, np.ndarray) else array_of(value)


def places(wrong: Any) -> tuple[np.ndarray, ...]:
    """Returns the indices of the True elements as one array per dimension; a scalar counts as 1-D."""
    return np.nonzero(np.atleast_1d(wrong))


def suffix(msg: Any) -> str:
    """Returns the part of a failure's message that shows the test's own message."""
    return f" ({msg})" if msg else ""


def evaluated(value: Any, evaluate: Callable[[Any], Any]) -> Any:
    """Returns the value with tensors in lists, tuples and mappings replaced by the results of `evaluate`."""
    if isinstance(value, Mapping):
        return {key: evaluated(item, evaluate) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        items = [evaluated(item, evaluate) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else items
    if isinstance(value, Tensor) or hasattr(value, "_as_graph_element"):
        return evaluate(value)
    return value


class Closeness:
    """Asserts, on behalf of a test, that structures have close arrays: |a - b| <= atol + rtol * |b|.

    `msg` is added to the message of a failure.
    """

    def __init__(self, test: unittest.TestCase, rtol: float, atol: float, msg: Any) -> None:
        self._test = test
        self._rtol = rtol
        self._atol = atol
        self._msg = msg

    def check(self, a: Any, b: Any, path: str = "") -> None:
        """Fails the test unless both structures are equal and their arrays close. `path` leads to them from the
        outermost ones."""
        test, msg = self._test, self._msg
        if isinstance(a, Mapping) or isinstance(b, Mapping):
            both = isinstance(a, Mapping) and isinstance(b, Mapping)
            test.assertTrue(both, f"one of a{path}, b{path} is not a dict{suffix(msg)}")
            test.assertEqual(set(a), set(b), msg)
            for key in a:
                self.check(a[key], b[key], f"{path}[{key!r}]")
        elif isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and _is_structure(a, b):
            test.assertEqual(len(a), len(b), f"a{path} and b{path} have different lengths{suffix(msg)}")
            for i, (x, y) in enumerate(zip(a, b)):
                self.check(x, y, f"{path}[{i}]")
        else:
            self._check_arrays(array(a), array(b), path)

    def _check_arrays(self, a: np.ndarray, b: np.ndarray, path: str) -> None:
        told, rtol, atol = suffix(self._msg), self._rtol, self._atol
        self._test.assertEqual(a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape}{told}")
        if a.dtype.name == "bfloat16" or b.dtype.name == "bfloat16":
            a, b = a.astype(np.float32), b.astype(np.float32)
        if np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True):
            return
        wrong = ~np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
        x, y = a[wrong], b[wrong]
        np.testing.assert_allclose(
            a,
            b,
            rtol=rtol,
            atol=atol,
            err_msg=f"Mismatched value: a{path} is different from b{path}.{told}\nnot close where = "
            f"{places(wrong)}\nnot close lhs = {x}\nnot close rhs = {y}\nnot close dif = {np.abs(x - y)}\n"
            f"not close tol = {atol + rtol * np.abs(y)}\ndtype = {a.dtype}, shape = {a.shape}",
        )


def _is_structure(a: Any, b: Any) -> bool:
    """Whether to compare item by item: NumPy cannot convert a list to a numeric array, because it is ragged or has
    dicts."""
    try:
        return array_of(a).dtype == object or array_of(b).dtype == object
    except ValueError:
        return True
