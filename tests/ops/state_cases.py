"""Checks of rows of stateful ops: their results, and that a failing op leaves the state unchanged."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import op_table
from hostile_cases import NUMBERS, _hostile_inputs, _int_attrs, _with
from state_table import FileRow, State, StateRow, _plain

from tinytf import _core
from tinytf._src import protos
from tinytf._src.framework.errors import errors
from tinytf._src.session.session import Session

Report = Callable[[str], None]

_MANY = 20
_TOLERANCES = {"float16": 1e-2, "bfloat16": 8e-2, "float64": 1e-3}
_MOST = 200  # upper bound for the memory allocations of one run
_REFUSED = (errors.OpError, MemoryError)
_NOT_BUILT = (*_REFUSED, ValueError, TypeError)
# Ends waits that cannot succeed; delays on a busy machine are distinguished below.
_SOON = protos.RunOptions(timeout_in_ms=100)


@dataclass(frozen=True)
class Changes:
    """Differences of a case from its row: other inputs, and attrs of the op and of the op that creates the state."""

    inputs: list[Any] | None = None
    attrs: dict[str, Any] = field(default_factory=dict)
    state_attrs: dict[str, Any] = field(default_factory=dict)


class Case:
    """The state and the op of a row, in a new graph and session."""

    def __init__(self, row: StateRow, session: Session, changes: Changes, options: Any) -> None:
        self.session = session
        self._options = options
        self.state: State = row.state(**changes.state_attrs)
        inputs = row.inputs_on(self.state) if changes.inputs is None else changes.inputs
        self._fed = [op_table._map(lambda a: op_table._placeholder(np.asarray(a), None), value) for value in inputs]
        attrs = {name: self.state.placed(value) for name, value in {**row.attrs, **changes.attrs}.items()}
        made = self.state.on_it(row.op, *self._fed, **attrs)
        self._fetches = op_table._flat([made])
        self._node = getattr(self._fetches[0], "op", self._fetches[0])

    def run(self, fetches: Any, feeds: Any = None) -> Any:
        """Runs other ops that fill or empty the state."""
        return self.session.run(fetches, feeds, self._options)

    def op(self, inputs: list[Any]) -> Any:
        """The outputs of the op, as lists."""
        return [_plain(v) for v in self.session.run(self._fetches, self._feeds(inputs), self._options) if v is not None]

    def node(self, inputs: list[Any]) -> None:
        """Runs the op without fetching, because an output that cannot be allocated would be lost."""
        self.session.run(self._node, self._feeds(inputs))

    def _feeds(self, inputs: list[Any]) -> dict[Any, Any]:
        return dict(zip(op_table._flat([self._fed]), op_table._flat([inputs]), strict=True))

    def fill(self) -> None:
        self.state.fill(self.run)

    def take_all(self) -> Any:
        return self.state.take_all(self.run)


@contextmanager
def case_of(row: StateRow, changes: Changes | None = None, options: Any = None) -> Iterator[Case]:
    """The row's case before any run; `options` apply to its runs."""
    with op_table.graph_of(row).as_default() as graph, Session(graph=graph) as session:
        yield Case(row, session, changes or Changes(), options)


def check_row(row: StateRow) -> None:
    """Checks the outputs of the op and the state after it."""
    with case_of(row) as case:
        case.fill()
        result = case.op(row.inputs_on(case.state))
        assert row.result is None or result == case.state.placed(row.result)
        assert case.take_all() == case.state.placed(row.left)


def check_files(row: FileRow) -> None:
    """Without the files, or with half of each, the op fails with the expected error."""
    files = row.state.files
    for given, expected in (({}, row.missing), ({n: c[: len(c) // 2] for n, c in files.items()}, row.damaged)):
        if expected is None:
            continue
        with case_of(row) as case:
            case.fill()
            case.state.write(given)
            try:
                case.op(row.inputs_on(case.state))
                found = ("no error", "")
            except errors.OpError as error:
                found = (type(error).__name__, error.message)
            assert found[0] == expected[0] and expected[1] in found[1], (found, expected)


def types_of(row: StateRow) -> list[str]:
    """The floating types beside float32 with a kernel of an op on variables that takes floats."""
    inputs = [] if callable(row.inputs) else op_table._flat([row.inputs])
    if "dtype" not in row.state.attrs or not any(_is_float(value) for value in inputs):
        return []
    return [t for t in op_table.registered_types(row.op) if t in _TOLERANCES]


def _is_float(value: Any) -> bool:
    return np.asarray(value).dtype == np.float32


def check_types(row: StateRow) -> None:
    """With variables and inputs of another floating type the op leaves nearly the same values."""
    for dtype in types_of(row):
        kind = op_table.numpy_type(dtype)
        inputs = [np.asarray(v).astype(kind) if _is_float(v) else v for v in row.inputs]
        with case_of(row, Changes(inputs, state_attrs={"dtype": dtype})) as case:
            case.fill()
            case.op(inputs)
            for found, expected in zip(case.take_all(), row.left, strict=True):
                tolerance = _TOLERANCES[dtype]
                np.testing.assert_allclose(found, expected, tolerance, tolerance, err_msg=dtype)


def check_without_memory(row: StateRow) -> int:
    """Lets each memory allocation fail in turn: the op must either fail and leave the state unchanged, or succeed.
    Returns the number of allocations.
    """
    _, before = contents_of(row)
    for number in range(_MOST):
        with case_of(row) as case:
            case.fill()
            case.node(_few(row.inputs_on(case.state)))  # allocates everything in advance except room in the state
            case.take_all()
            case.fill()
            inputs = row.inputs_on(case.state)
            _core.testing.fail_allocation(number)
            try:
                case.node(inputs)
                left = case.state.placed(row.left)
            except (errors.ResourceExhaustedError, MemoryError):
                left = before
            finally:
                has_failed = _core.testing.allocation_has_failed()
                _core.testing.fail_allocation(-1)
            assert case.take_all() == left, f"request {number} failed"
        if not has_failed:
            return number
    raise AssertionError("there is no end of requests")


def _few(inputs: list[Any]) -> list[Any]:
    """The inputs, with large batches reduced to their first element."""
    return [op_table._map(lambda a: a[:1] if np.ndim(a) > 0 and len(a) >= _MANY else a, value) for value in inputs]


def contents_of(row: StateRow) -> tuple[list[Any], Any]:
    """The valid inputs of the op, and the contents of the state before it runs."""
    with case_of(row) as case:
        case.fill()
        return row.inputs_on(case.state), case.take_all()


def check_hostile(row: StateRow, starts: Report, wrong: Report) -> None:
    """Replaces integers and int attrs of the op and of its state's creator by overflowing numbers: an error that
    leaves the state unchanged, or a result.
    """
    inputs, before = contents_of(row)
    for place, arrays in _hostile_inputs(inputs):
        for array in arrays:
            text = f"input {place[0]} = {np.asarray(array).tolist()}"
            check_changed(row, Changes(_with(inputs, place, array)), before, text, starts, wrong)
    for name, number in itertools.product(_numbers_of(row.op), NUMBERS):
        check_changed(row, Changes(attrs={name: number}), before, f"attr {name} = {number}", starts, wrong)
    for name, number in itertools.product(_numbers_of(row.state.maker), NUMBERS):
        check_changed(row, Changes(state_attrs={name: number}), before, f"of {name} = {number}", starts, wrong)


def _numbers_of(op: str | None) -> list[str]:
    return [name for name, is_list in _int_attrs(op) if not is_list] if op is not None else []


def check_changed(row: StateRow, changes: Changes, before: Any, text: str, starts: Report, wrong: Report) -> None:
    """Runs the op once; if it is refused, when created or when run, the state must equal `before`."""
    text = f"{row.op} on {row.state.__name__}, {text}"
    starts(text)
    try:
        with case_of(row, changes, _SOON) as case:
            try:
                case.fill()
                case.op(row.inputs_on(case.state) if changes.inputs is None else changes.inputs)
                left = None
            except errors.DeadlineExceededError:
                left = None  # part of a batch may have been enqueued
            except _REFUSED:
                left = before
            if changes.state_attrs:  # the initial contents may not have fit
                return
            starts(f"{text}, emptied")
            found = case.take_all()
            if left is not None and found != left:
                wrong(f"{text}: {found} instead of {left}")
    except _NOT_BUILT:
        return
    except Exception as e:  # anything else is a finding
        wrong(f"{text}: {type(e).__name__}: {e}")
