"""Runs rows of the op table with hostile sizes: each integer input and each int attr in turn is replaced by overflowing
numbers.

Runs in a separate process (`hostile_worker.py`), because a failure crashes or hangs it. An outcome is correct if it is
one of TensorFlow's errors, or values that fit the inferred shapes and do not depend on the way of execution.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import op_table
from case_share import share
from op_table import Row

from tinytf import _core
from tinytf._src import protos
from tinytf._src.eager.session import EagerSession
from tinytf._src.framework.context.execution import eager_mode
from tinytf._src.framework.errors import errors
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_defs.importer import import_graph_def
from tinytf._src.session.session import Session

NUMBERS = (-(2**63), -1, 0, 2**31 - 1, 2**32, 2**62, 2**63 - 1)
_REFUSED = (errors.OpError, MemoryError)  # errors that running an op may raise
_NOT_BUILT = (*_REFUSED, ValueError, TypeError)
_INT64 = 9
_LARGE = 2**40

Report = Callable[[str], None]
Inputs = list[Any]  # an array, or a list of arrays for a list input


def check_row(row: Row, starts: Report, wrong: Report) -> None:
    """Reports each attempt to `starts` and each failure to `wrong`."""
    dtype, shapes = _case(row)
    inputs = _widened(row, op_table.inputs_of(row, dtype, shapes))
    for place, hostile in _hostile_inputs(inputs):
        _check_inputs(row, inputs, place, hostile, starts, wrong)
    for name, is_list in _int_attrs(row.op):
        _check_attr(row, inputs, name, is_list, starts, wrong)
    for shape in share(_hollow_shapes(inputs), len(row.op)):
        _check_hollow(row, inputs, *shape, starts, wrong)


def _case(row: Row) -> tuple[str, tuple[Any, ...]]:
    """A dtype, preferably floating, and shapes, preferably not empty."""
    types = row.types()
    dtype = next((t for t in ("float32", "int64", "complex64") if t in types), types[0])
    return dtype, max(row.shapes[:8], key=lambda shapes: (0 not in _sizes(shapes), len(_sizes(shapes)) > 0))


def has_integers(row: Row) -> bool:
    """Whether an input of the row is an array of integers that can be replaced."""
    return any(True for _ in _hostile_inputs(op_table.inputs_of(row, *_case(row))))


def _sizes(shapes: Any) -> list[int]:
    return [n for s in shapes for n in (_sizes(s) if isinstance(s, (tuple, list)) else [s])]


def _widened(row: Row, inputs: Inputs) -> Inputs:
    """The inputs with int32 changed to int64 where the op accepts that, because more numbers fit."""
    if row.program is not None:
        return inputs
    definition = _core.op_def(row.op)
    assert definition is not None
    attrs = {name: allowed for name, _, _, _, allowed, *_ in definition["attrs"]}
    wide = [
        attr in attrs and (not attrs[attr] or _INT64 in attrs[attr])
        for attr in (argument[2] for argument in definition["inputs"])
    ]
    widened = [op_table._map(_as_int64, value) if w else value for w, value in zip(wide, inputs, strict=True)]
    try:
        with op_table.graph_of(row).as_default(), Session() as sess:
            sess.run(op_table._apply(row, [op_table._map(op_table._constant, v) for v in widened]))
    except _NOT_BUILT:
        return inputs  # without a kernel
    return widened


def _as_int64(array: np.ndarray) -> np.ndarray:
    return array.astype(np.int64) if array.dtype == np.int32 else array


def _numbers(dtype: np.dtype) -> list[int]:
    limits = np.iinfo(dtype)
    return sorted({min(max(n, int(limits.min)), int(limits.max)) for n in NUMBERS})


def _hostile_inputs(inputs: Inputs) -> Iterator[tuple[tuple[int, int | None], list[np.ndarray]]]:
    """Each integer array by its position, with hostile replacements."""
    for i, value in enumerate(inputs):
        for k, array in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if array.dtype.kind not in "iu" or array.size == 0:
                continue
            hostile = []
            for number in _numbers(array.dtype):
                hostile.append(np.full_like(array, number))
                if array.size > 1:
                    last = np.array(array)
                    last.flat[-1] = number
                    hostile.append(last)
            yield (i, k), list(share(hostile, i + (k or 0)))


def _with(inputs: Inputs, place: tuple[int, int | None], item: Any) -> Inputs:
    i, k = place
    changed = list(inputs)
    changed[i] = item if k is None else [item if n == k else old for n, old in enumerate(inputs[i])]
    return changed


def _text(array: np.ndarray) -> str:
    return f"{array.dtype.name} {array.tolist()}"


def _check_inputs(
    row: Row, inputs: Inputs, place: tuple[int, int | None], hostile: list[np.ndarray], starts: Report, wrong: Report
) -> None:
    def case(way: str, array: np.ndarray) -> str:
        text = f"{row.op}{row.attrs}, input {place[0]} = {_text(array)}, {way}"
        starts(text)
        return text

    with op_table.graph_of(row).as_default() as graph, Session(graph=graph) as sess:
        tensors = [op_table._map(op_table._fully_known, v) for v in inputs]
        feeds = dict(zip(op_table._flat([tensors]), op_table._flat([inputs]), strict=True))
        fed = tensors[place[0]] if place[1] is None else tensors[place[0]][place[1]]
        outputs = op_table._apply(row, tensors)
        for array in hostile:
            found = {"fed": _run(sess, outputs, {**feeds, fed: array}, case("fed", array), wrong)}
            text = case("a constant", array)
            known = _built(lambda a=array: op_table._apply(row, _with(tensors, place, op_table._constant(a))))
            if known is not None:
                found["a constant"] = _run(sess, known, feeds, text, wrong)
            if op_table.is_executable(row):
                found["eager"] = _execute(row, _with(inputs, place, array), row.attrs, case("eager", array), wrong)
            _check_equal(row, found, text, wrong)


def _check_attr(row: Row, inputs: Inputs, name: str, is_list: bool, starts: Report, wrong: Report) -> None:
    with op_table.graph_of(row).as_default() as graph:
        tensors = [op_table._map(op_table._fully_known, v) for v in inputs]
        outputs = op_table._apply(row, tensors)
        written = graph.as_graph_def()
    fed = dict(zip((t.name for t in op_table._flat([tensors])), op_table._flat([inputs]), strict=True))
    fetched = [t.name for t in outputs]
    node = next(n for n in written.node if n.op == row.op)
    given = list(node.attr[name].list.i) if is_list else [node.attr[name].i]
    for number in share(NUMBERS, len(name)):
        for changed in [[number] * len(given), [*given[:-1], number]][: 2 if len(given) > 1 else 1]:
            if is_list:
                node.attr[name].list.i[:] = changed
            else:
                node.attr[name].i = changed[0]
            text = f"{row.op}{row.attrs}, attr {name} = {changed if is_list else number}"
            starts(f"{text}, imported")
            found = {"imported": _import_and_run(written, fed, fetched, f"{text}, imported", wrong)}
            if op_table.is_executable(row):
                starts(f"{text}, eager")
                attrs = {**row.attrs, name: changed if is_list else number}
                found["eager"] = _execute(row, inputs, attrs, f"{text}, eager", wrong)
            _check_equal(row, found, text, wrong)


def _hollow_shapes(inputs: Inputs) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The shapes of inputs, each with a replacement that has no elements but one large dimension."""
    for shape in sorted({array.shape for array in op_table._flat([inputs])}):
        for empty, large in itertools.permutations(range(len(shape)), 2):
            hollow = list(shape)
            hollow[empty], hollow[large] = 0, _LARGE
            yield shape, tuple(hollow)


def _check_hollow(
    row: Row, inputs: Inputs, shape: tuple[int, ...], hollow: tuple[int, ...], starts: Report, wrong: Report
) -> None:
    """Replaces all inputs of `shape` by empty ones with a large dimension, over which a kernel must not iterate."""

    def emptied(array: np.ndarray) -> np.ndarray:
        return np.zeros(hollow, array.dtype) if array.shape == shape else array

    changed = [op_table._map(emptied, value) for value in inputs]
    text = f"{row.op}{row.attrs}, {hollow} for {shape}"
    with op_table.graph_of(row).as_default() as graph, Session(graph=graph) as sess:
        tensors = op_table._of_unknown_shape(row, inputs)
        outputs = op_table._apply(row, tensors)
        starts(f"{text}, fed")
        feeds = dict(zip(op_table._flat([tensors]), op_table._flat([changed]), strict=True))
        found = {"fed": _run(sess, outputs, feeds, text, wrong)}
    if op_table.is_executable(row):
        starts(f"{text}, eager")
        found["eager"] = _execute(row, changed, row.attrs, f"{text}, eager", wrong)
    _check_equal(row, found, text, wrong)


def _int_attrs(op: str) -> list[tuple[str, bool]]:
    definition = _core.op_def(op)
    assert definition is not None
    return [(a[0], a[1] != "int") for a in definition["attrs"] if a[1] in ("int", "list(int)")]


def _built(build: Callable[[], list[Tensor]]) -> list[Tensor] | None:
    try:
        return build()
    except _NOT_BUILT:
        return None


def _run(sess: Session, outputs: list[Tensor], feeds: Any, text: str, wrong: Report) -> list[Any] | None:
    """The values, or None if the op was refused or a failure was reported."""
    try:
        values = sess.run(outputs, feeds)
    except _REFUSED:
        return None
    except Exception as e:  # anything else is a finding
        wrong(f"{text}: {type(e).__name__}: {e}")
        return None
    for tensor, value in zip(outputs, values, strict=True):
        if not tensor.shape.is_compatible_with(np.shape(value)):
            wrong(f"{text}: inferred shape {tensor.shape}, got {np.shape(value)}")
            return None
    return list(values)


def _import_and_run(
    written: Any, fed: dict[str, np.ndarray], fetched: list[str], text: str, wrong: Report
) -> list[Any] | None:
    with Graph().as_default() as graph, Session(graph=graph) as sess:
        try:
            import_graph_def(protos.GraphDef.FromString(written.SerializeToString()), name="")
        except _NOT_BUILT:
            return None
        outputs = [graph.get_tensor_by_name(name) for name in fetched]
        return _run(sess, outputs, {graph.get_tensor_by_name(name): v for name, v in fed.items()}, text, wrong)


def _execute(row: Row, inputs: Inputs, attrs: dict[str, Any], text: str, wrong: Report) -> list[Any] | None:
    with eager_mode(), EagerSession(resource_cleanup_strategy=EagerSession.ResourceCleanupStrategy.ON_SAFE_POINTS):
        try:
            arguments = [op_table._map(op_table._constant, v) for v in inputs]
            return [np.array(t.numpy()) for t in op_table._apply(replace(row, attrs=attrs), arguments)]
        except _NOT_BUILT:
            return None
        except Exception as e:  # anything else is a finding
            wrong(f"{text}: {type(e).__name__}: {e}")
            return None


def _check_equal(row: Row, found: dict[str, list[Any] | None], text: str, wrong: Report) -> None:
    """All ways of execution that returned values returned the same, if the op repeats its values."""
    if not row.repeats:
        return
    values = [(way, v) for way, v in found.items() if v is not None]
    for way, other in values[1:]:
        first = [op_table._bits(v) for v in values[0][1]]
        if first != [op_table._bits(v) for v in other]:
            wrong(f"{text}: {values[0][0]} and {way} differ: {values[0][1]} and {other}"[:600])
