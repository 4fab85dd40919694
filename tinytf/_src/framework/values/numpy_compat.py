"""Compensates for differences between releases of NumPy.

`array_of` and `asarray_of` behave like `np.array` and `np.asarray` of NumPy 2: ints that do not fit and ragged lists
raise errors. `only_element` restores a conversion that NumPy 2.4 removed.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

_VERSION = tuple(int(part) for part in np.__version__.split(".")[:2])


def _array_before_2(value: Any, dtype: Any = None) -> np.ndarray:
    """Raises OverflowError for Python ints that do not fit `dtype`, which NumPy 1 wraps around."""
    if dtype is None or np.dtype(dtype).kind not in "iu" or not isinstance(value, (int, list, tuple)):
        return _dense_array(value, dtype)
    given = _dense_array(value, None)
    if given.dtype.kind not in "iuO":
        return _dense_array(value, dtype)
    array = given.astype(dtype)
    if not np.all(given == array):
        raise OverflowError(f"Python integer out of bounds for {array.dtype}")
    return array


def _dense_array(value: Any, dtype: Any) -> np.ndarray:
    """Raises ValueError for ragged lists, from which NumPy 1.23 creates arrays of lists."""
    if _VERSION >= (1, 24) or not isinstance(value, (list, tuple)):
        return np.array(value, dtype)
    ragged: type[Warning] = getattr(np, "VisibleDeprecationWarning")  # noqa: B009 (NumPy 2 has it elsewhere)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ragged)
        try:
            return np.array(value, dtype)
        except ragged:
            raise ValueError("setting an array element with a sequence: the array would be inhomogeneous") from None


def _asarray_before_2(value: Any, dtype: Any = None) -> np.ndarray:
    return _array_before_2(value, dtype) if isinstance(value, (int, list, tuple)) else np.asarray(value, dtype)


array_of = np.array if _VERSION >= (2, 0) else _array_before_2
asarray_of = np.asarray if _VERSION >= (2, 0) else _asarray_before_2


def only_element(value: Any) -> Any:
    """The element of an array with one element, whatever its rank; other values unchanged.

    For use with `int`, `float` and `complex`: before NumPy 2.4 they accepted such arrays, which TensorFlow's users
    pass. Raises TypeError for arrays with any other number of elements.
    """
    if not isinstance(value, np.ndarray) or value.ndim == 0:
        return value
    if value.size != 1:
        raise TypeError("only size-1 arrays can be converted to Python scalars")
    return value.reshape(-1)[0]
