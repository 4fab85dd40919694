"""Loops of the graph over datasets and iterators, as AutoGraph builds them; see `Foldable` there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.data.kinds.scans import ScanDataset, TakeWhileDataset
from tinytf._src.data.optionals import get_next_as_optional
from tinytf._src.data.reduction import reduced
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.control_flow.loops import while_loop

_Values = tuple[Any, ...]
_Step = Callable[[_Values, Any], _Values]
_Test = Callable[[_Values], Any] | None


def folded_dataset(dataset: Any, start: _Values, step: _Step, goes_on: _Test) -> _Values:
    """Returns the values after a step for each element of a dataset: a `reduce`. With a test, it reduces what a scan
    yields while the test is true, which takes one element more."""
    if goes_on is None:
        return tuple(reduced(dataset, start, step))

    def scanned(values: _Values, element: Any) -> tuple[_Values, _Values]:
        on = goes_on(values)
        new = tuple(cond(on, lambda: step(values, element), lambda: values, strict=True))
        return new, (*new, on)

    steps = TakeWhileDataset(ScanDataset(dataset, start, scanned), lambda *values: values[-1])
    return tuple(reduced(steps, start, lambda _, values: values[:-1]))


def folded_iterator(iterator: Any, start: _Values, step: _Step, goes_on: _Test) -> _Values:
    """Returns the values after a step for each further element of an iterator."""

    def test(has_next: Any, *values: Any) -> Any:
        return has_next if goes_on is None else cond(has_next, lambda: goes_on(values), lambda: False)

    def iteration(_: Any, *values: Any) -> list[Any]:
        element = get_next_as_optional(iterator)
        has_next = element.has_value()
        new = cond(has_next, lambda: step(values, element.get_value()), lambda: values, strict=True)
        return [has_next, *new]

    _, *values = while_loop(test, iteration, [True, *start], return_same_structure=True)
    return tuple(values)
