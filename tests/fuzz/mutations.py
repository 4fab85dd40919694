"""Random mutations of an op's inputs and attrs: values, shapes, types and counts, all drawn from the given
generator.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._src.framework.values import dtypes

INTEGERS = (-(2**63), -(2**31), -7, -1, 0, 1, 2, 3, 5, 8, 255, 2**31 - 1, 2**31, 2**32, 2**62, 2**63 - 1)
FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-45, -1e-310, 1e-30, 1e9, -1e20, 3e38, 1e300, np.inf, -np.inf, np.nan)
TEXTS = (b"", b"a", b"\x00", b"\xff\xfe", "ä€\U0001f600".encode(), b"%s%d{}", b"x" * 70_000, b"1e999", b"-0", b"nan")
TYPES = (
    *("float16", "float32", "float64", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"),
    *("uint64", "bool", "complex64", "complex128", "string"),
)
_MOST_ELEMENTS = 4096

Generator = np.random.Generator


def _pick(rng: Generator, values: Any) -> Any:
    return values[int(rng.integers(len(values)))]


def special_value(rng: Generator, dtype: np.dtype) -> Any:
    """A value of the type that is likely to be an edge case."""
    if dtype.kind == "O":
        return _pick(rng, TEXTS)
    if dtype.kind == "b":
        return bool(rng.integers(2))
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return min(max(_pick(rng, INTEGERS), int(limits.min)), int(limits.max))
    with np.errstate(all="ignore"):
        if dtype.kind == "c":
            return np.asarray(complex(_pick(rng, FLOATS), _pick(rng, FLOATS))).astype(dtype)
        return np.asarray(_pick(rng, FLOATS)).astype(dtype)


def _values(rng: Generator, array: np.ndarray) -> np.ndarray:
    if array.size == 0:
        return array
    changed = np.array(array)
    for _ in range(int(rng.integers(1, 4))):
        changed.flat[int(rng.integers(array.size))] = special_value(rng, array.dtype)
    return changed


def _filled(rng: Generator, array: np.ndarray) -> np.ndarray:
    return np.full(array.shape, special_value(rng, array.dtype), array.dtype)


def _emptied(rng: Generator, array: np.ndarray) -> np.ndarray:
    return np.take(array, [], int(rng.integers(array.ndim))) if array.ndim else array.reshape([1])[:0]


def _repeated(rng: Generator, array: np.ndarray) -> np.ndarray:
    if array.ndim == 0 or array.size * 3 > _MOST_ELEMENTS:
        return array
    return np.repeat(array, int(rng.integers(2, 4)), int(rng.integers(array.ndim)))


def _cut(rng: Generator, array: np.ndarray) -> np.ndarray:
    return np.take(array, range(1), int(rng.integers(array.ndim))) if array.size and array.ndim else array


def _wider(rng: Generator, array: np.ndarray) -> np.ndarray:
    return np.expand_dims(array, int(rng.integers(array.ndim + 1)))


def _narrower(rng: Generator, array: np.ndarray) -> np.ndarray:
    return np.take(array, 0, int(rng.integers(array.ndim))) if array.ndim and array.size else array


def _transposed(rng: Generator, array: np.ndarray) -> np.ndarray:
    return np.transpose(array, rng.permutation(array.ndim))


def _scalar(rng: Generator, array: np.ndarray) -> np.ndarray:
    return np.array(array.flat[0] if array.size else special_value(rng, array.dtype), array.dtype)


def _huge_but_empty(rng: Generator, array: np.ndarray) -> np.ndarray:
    sizes = [0, *(int(_pick(rng, (0, 1, 7, 2**31, 2**40))) for _ in range(max(array.ndim - 1, 0)))]
    if np.prod([n for n in map(float, sizes) if n], dtype=float) > 2**55:
        return array
    return np.zeros([sizes[i] for i in rng.permutation(len(sizes))], array.dtype)


def _cast(rng: Generator, array: np.ndarray) -> np.ndarray:
    dtype = np.dtype(dtypes.as_dtype(_pick(rng, TYPES)).as_numpy_dtype)
    if dtype.kind in "OSU" or array.dtype.kind in "OSU":
        return np.full(array.shape, special_value(rng, dtype), dtype)
    with np.errstate(all="ignore"):
        real = array.real if array.dtype.kind == "c" and dtype.kind != "c" else array
        return np.asarray(real).astype(dtype)


_ARRAYS = (
    *(_values, _values, _values, _filled, _emptied, _repeated, _cut, _wider, _narrower, _transposed, _scalar),
    *(_huge_but_empty, _cast),
)


def mutated_array(rng: Generator, array: np.ndarray) -> np.ndarray:
    """The array with other values, another shape or another dtype."""
    if max(array.shape, default=0) > 2**20:
        return array  # NumPy iterates over the large dimensions of empty arrays
    return np.asarray(_pick(rng, _ARRAYS)(rng, array))


def mutated_inputs(rng: Generator, inputs: list[Any]) -> list[Any]:
    """The inputs with one mutation; a list input is a list of arrays."""
    changed = list(inputs)
    i = int(rng.integers(len(changed)))
    if len(changed) > 1 and rng.random() < 0.05:
        j = int(rng.integers(len(changed)))
        changed[i], changed[j] = changed[j], changed[i]
        return changed
    if not isinstance(changed[i], list):
        changed[i] = mutated_array(rng, changed[i])
        return changed
    items = list(changed[i])
    kind = rng.random()
    if items and kind < 0.1:
        items.pop(int(rng.integers(len(items))))
    elif items and kind < 0.2:
        items.append(_pick(rng, items))
    elif items:
        k = int(rng.integers(len(items)))
        items[k] = mutated_array(rng, items[k])
    changed[i] = items
    return changed


def mutated_attr(rng: Generator, kind: str, value: Any) -> Any:
    """A mutated value for an attr of a kind (`int`, `list(int)`, …) whose current value is `value`."""
    if kind.startswith("list("):
        items = list(value) if isinstance(value, (list, tuple)) else []
        if items and rng.random() < 0.2:
            items.pop()
        elif not items or rng.random() < 0.2:
            items.append(mutated_attr(rng, kind[5:-1], None))
        else:
            k = int(rng.integers(len(items)))
            items[k] = mutated_attr(rng, kind[5:-1], items[k])
        return items
    if kind == "int":
        return int(_pick(rng, INTEGERS))
    if kind == "float":
        return float(_pick(rng, FLOATS))
    if kind == "bool":
        return not value
    if kind == "type":
        return dtypes.as_dtype(_pick(rng, TYPES))
    if kind == "shape":
        return _pick(rng, (None, [], [0], [3], [-1], [2, None], [2**31, 2**31], [2**62, 4]))
    if kind == "string":
        return _pick(rng, (*TEXTS, b"SAME", b"VALID", b"EXPLICIT", b"NHWC", b"NCHW"))
    return value
