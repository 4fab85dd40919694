"""Nodes of datasets, and rows of one kind, for the rows of `data_rows*.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from data_table import DatasetRow, Function, Node, node

from tinytf._src.framework.values import dtypes

I64, F32, TEXT = dtypes.int64, dtypes.float32, dtypes.string
INFINITE, UNKNOWN = -1, -2
MOST = 2**63 - 1

PAIR = (F32, TEXT)
FLOATS = np.float32([[1, 2], [3, 4], [5, 6]])
TEXTS = np.array([b"a", b"bc", b""], object)
ELEMENTS = tuple(zip(FLOATS, TEXTS, strict=True))


def number_range(stop: int, start: int = 0, step: int = 1) -> Node:
    return Node("RangeDataset", tuple(np.int64([start, stop, step])))


def slices(*components: np.ndarray, types: tuple[Any, ...] = (I64,)) -> Node:
    return Node("TensorSliceDataset", (list(components),), types=types)


PAIRS = slices(FLOATS, TEXTS, types=PAIR)


def text(value: bytes) -> np.ndarray:
    return np.array(value, object)


def mapped(made: Node, function: Callable[..., Any], types: tuple[Any, ...] = (I64,)) -> Node:
    """The dataset of the results, of these types, of a function."""
    return Node("MapDataset", (made, []), {"f": Function(function, made.types), "preserve_cardinality": True}, types)


def function_row(
    op: str,
    made: Node,
    captured: list[Any],
    function: Callable[..., Any],
    types: tuple[Any, ...],
    elements: tuple[Any, ...],
    cardinality: int,
    results: tuple[Any, ...] = (I64,),
    *,
    options: tuple[Any, ...] = (),
    name: str = "f",
    attrs: dict[str, Any] | None = None,
    **more: Any,
) -> DatasetRow:
    """A row of an op whose attr `name` is a function of elements and captured values. `options` are the inputs after
    these.
    """
    attrs = {name: Function(function, types), **(attrs or {})}
    return DatasetRow(Node(op, (made, captured, *options), attrs, results), elements, cardinality, **more)


def failing(x: Any) -> Any:
    """An error for 1."""
    return node("FloorDiv", x + 3, x - 1)


def range_to(x: Any) -> Any:
    """The dataset of the numbers below x, in a function."""
    return node("RangeDataset", 0, x, 1, output_types=[I64], output_shapes=[[]])
