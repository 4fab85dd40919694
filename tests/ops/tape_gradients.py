"""A row's gradients on a tape are bitwise equal to the gradients of `tf.gradients` in a graph, except for the sign
of zeros.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from op_table import (
    Row,
    Shape,
    _apply,
    _bits,
    _constant,
    _flat,
    _is_constant,
    _map,
    inputs_of,
)
from row_gradients import _plain
from row_values import _without_rewrites

from tinytf._src.eager.backprop import GradientTape
from tinytf._src.eager.session import EagerSession
from tinytf._src.framework.context.execution import eager_mode
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.gradients.gradients_impl import gradients
from tinytf._src.session.session import Session


def check_tape(row: Row, dtype: str, shapes: tuple[Shape, ...]) -> None:
    """Compares gradients by every floating input without a fixed array; the output itself is the initial gradient,
    so that elements differ.
    """
    with np.errstate(all="ignore"):
        inputs = inputs_of(_plain(row), dtype, shapes)
    expected = _in_graph(row, inputs)
    found = _by_tape(row, inputs)
    assert len(found) == len(expected)
    for i, (got, want) in enumerate(zip(found, expected, strict=True)):
        if want is None or got is None:
            assert got is want, f"input {i}: {got} by a tape, {want} in a graph"
        else:
            # Graphs also sum over zero axes, which turns -0 into 0.
            assert _bits(got + 0) == _bits(want + 0), f"input {i}: {got} by a tape, {want} in a graph"


def _sources(row: Row, tensors: list[Any]) -> list[Any]:
    chosen = [t for i, t in enumerate(tensors) if not _is_constant(row, i)]
    return [t for t in _flat([chosen]) if t.dtype.is_floating or t.dtype.is_complex]


def _in_graph(row: Row, inputs: list[Any]) -> list[Any]:
    with Graph().as_default(), Session(config=_without_rewrites()) as sess:
        tensors = [_map(_constant, v) for v in inputs]
        y = _apply(row, tensors)[row.grad_output]
        found = [None if g is None else convert_to_tensor(g) for g in gradients(y, _sources(row, tensors), y)]
        values = iter(sess.run([g for g in found if g is not None]))
        return [None if g is None else next(values) for g in found]


def _by_tape(row: Row, inputs: list[Any]) -> list[Any]:
    strategy = EagerSession.ResourceCleanupStrategy.ON_SAFE_POINTS
    with eager_mode(), EagerSession(resource_cleanup_strategy=strategy):
        tensors = [_map(_constant, v) for v in inputs]
        sources = _sources(row, tensors)
        with GradientTape() as tape:
            for source in sources:
                tape._recording_of.watch(source)
            y = _apply(row, tensors)[row.grad_output]
        found = tape.gradient(y, sources, y)
        return [None if g is None else np.array(convert_to_tensor(g).numpy()) for g in found]
