"""The table of ops under test: what a row says, and the checks that each row yields.

A file `rows_<family>.py` defines `ROWS`, a list of `Row`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tinytf.client.session import Session
from tinytf.framework import dtypes
from tinytf.framework.apply_op import apply_op
from tinytf.framework.graph import Graph
from tinytf.framework.op_spec import op_spec
from tinytf.framework.tensor_shape import TensorShape

FLOATS = ("float16", "float32", "float64")
COMPLEXES = ("complex64", "complex128")
INTS = ("int32", "int64")
SMALL_INTS = ("int8", "int16", "uint8", "uint16")
REALS = (*FLOATS, "bfloat16", *INTS, *SMALL_INTS)
NUMBERS = (*REALS, *COMPLEXES)

_TOLERANCE = {
    "float16": 2e-3,
    "bfloat16": 2e-2,
    "float32": 2e-6,
    "float64": 1e-13,
    "complex64": 4e-6,
    "complex128": 1e-12,
}

Shape = tuple[int, ...]
UNARY: tuple[tuple[Shape, ...], ...] = (((),), ((0,),), ((7,),), ((3, 0, 2),), ((5, 37),))
BROADCAST: tuple[tuple[Shape, ...], ...] = (
    ((), ()),
    ((7,), (7,)),
    ((4, 33), (33,)),
    ((33,), ()),
    ((), (2, 9)),
    ((4, 1), (1, 9)),
    ((2, 3, 5), (3, 1)),
    ((0, 3), (3,)),
    ((2, 1, 3, 1, 2), (4, 1, 2, 1)),
)


@dataclass(frozen=True)
class Row:
    """One op.

    ref: the expected output from arrays in wide precision (float64 or complex128 for floating inputs, the op's own type
      for others); it gets the attrs as keywords.
    shapes: input shapes, one tuple of shapes for each case.
    dtypes: types of the inputs that `fixed` does not replace.
    domain: where input values are drawn from; integers as well.
    fixed: input number → array, or number of the case's type, that is used in place of drawn values.
    attrs: attrs of the node, those that need no inference.
    out: output type, where it is not the input's.
    tol: factor on the tolerance of the type.
    special: whether NaN and infinities are put among floating inputs.
    """

    op: str
    ref: Callable[..., Any]
    shapes: tuple[tuple[Shape, ...], ...] = UNARY
    dtypes: tuple[str, ...] = FLOATS
    domain: tuple[float, float] = (-4, 4)
    fixed: dict[int, Any] = field(default_factory=dict)
    attrs: dict[str, Any] = field(default_factory=dict)
    out: str | None = None
    tol: float = 1
    special: bool = False

    def cases(self) -> Iterator[tuple[str, tuple[Shape, ...]]]:
        """Every type with every group of shapes."""
        for dtype in self.dtypes:
            for shapes in self.shapes:
                yield dtype, shapes


def _numpy_type(dtype: str) -> Any:
    return np.dtype(dtypes.as_dtype(dtype).as_numpy_dtype)


def _wide(array: np.ndarray) -> np.ndarray:
    """The array in the precision in which references are computed."""
    if array.dtype.kind == "c":
        return array.astype(np.complex128)
    if array.dtype.kind == "f" or array.dtype.name == "bfloat16":
        return array.astype(np.float64)
    return array


def _draw(row: Row, dtype: str, shape: Shape, rng: np.random.Generator) -> np.ndarray:
    low, high = row.domain
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    kind = _numpy_type(dtype)
    if kind.kind in "iu":
        low = max(low, 0) if kind.kind == "u" else low
        return rng.integers(int(low), int(high) + 1, shape).astype(kind)
    values = np.asarray(rng.uniform(low, high, shape))
    if kind.kind == "c":
        return np.asarray(values + 1j * rng.uniform(low, high, shape)).astype(kind)
    if row.special and values.size > 4:
        values.flat[:3] = [np.nan, np.inf, -np.inf]
    return values.astype(kind)


def inputs_of(row: Row, dtype: str, shapes: tuple[Shape, ...], seed: int = 0) -> list[np.ndarray]:
    """The input arrays of one case."""
    rng = np.random.default_rng(seed)
    arrays = []
    for i, shape in enumerate(shapes):
        value = row.fixed.get(i)
        if value is None:
            arrays.append(_draw(row, dtype, shape, rng))
        else:
            arrays.append(value if isinstance(value, np.ndarray) else np.full(shape, value, _numpy_type(dtype)))
    return arrays


def run_op(op: str, inputs: list[np.ndarray], attrs: dict[str, Any]) -> tuple[np.ndarray, TensorShape]:
    """The value of the op's only output, and the shape inferred from the shapes of the inputs."""
    with Graph().as_default(), Session() as sess:
        feeds = {}
        for array in inputs:
            declared = {"dtype": dtypes.as_dtype(array.dtype), "shape": array.shape}
            feeds[apply_op(op_spec("Placeholder"), None, (), declared)] = array
        output = apply_op(op_spec(op), None, tuple(feeds), attrs)
        return np.asarray(sess.run(output, feeds)), output.shape


def check_forward(row: Row, dtype: str, shapes: tuple[Shape, ...]) -> None:
    """The op's result against the reference: type, shape, values."""
    inputs = inputs_of(row, dtype, shapes)
    got, inferred = run_op(row.op, inputs, row.attrs)
    with np.errstate(all="ignore"):
        expected = np.asarray(row.ref(*(_wide(a) for a in inputs), **row.attrs))
    assert got.dtype == _numpy_type(row.out or dtype), f"type {got.dtype}"
    assert got.shape == expected.shape, f"shape {got.shape}, expected {expected.shape}"
    assert inferred.is_compatible_with(got.shape), f"inferred shape {inferred}, got {got.shape}"
    if got.dtype.kind in "iub":
        np.testing.assert_array_equal(got, expected.astype(got.dtype))
        return
    tolerance = _TOLERANCE[got.dtype.name] * row.tol
    with np.errstate(all="ignore"):
        rounded = _wide(expected.astype(got.dtype))  # overflow to infinity is right where the type ends
    np.testing.assert_allclose(_wide(got), rounded, rtol=tolerance, atol=tolerance)
