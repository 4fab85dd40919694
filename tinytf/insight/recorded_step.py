"""`RecordedStep`: one step as a file of recorded steps tells it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from tinytf.framework import dtypes
from tinytf.insight.record_damage import Damage, check, check_items, damage_if
from tinytf.insight.record_format import ArrayRef

_STATE_WORDS = 6  # of a random generator: counter and key


def run_of(name: str, iterations: str) -> str:
    """What one run of a node is called: "NAME", or "NAME in iteration …" of the loops that it is in."""
    return f"{name} {iterations}" if iterations else name


@dataclass
class RecordedStep:
    """One step; tensors and operations by name."""

    graph: int  # number of the GraphDef
    isa: str  # level of instructions that kernels used
    fetches: list[str]
    targets: list[str]
    feeds: list[tuple[str, ArrayRef]]
    random_states: list[tuple[str, list[int]]]  # of nodes with random numbers, before the step: counter and key
    variables: list[tuple[str, ArrayRef | None]]  # of nodes that stand for variables, before the step; None: no value
    kept: list[tuple[str, list[ArrayRef]]]  # outputs of nodes that can not run again
    nodes: list[tuple[str, list[list[Any]]]]  # what each node that ran yielded, by `run_of`: see `Value`
    variables_after: list[tuple[str, int]]  # digests of their values
    error: str | None  # what the step raised

    @classmethod
    def from_json(cls, about: Any) -> RecordedStep:
        """The step that content of a file describes; Damage if that is no description."""
        if check(about, dict).keys() != {field.name for field in fields(cls)}:
            raise Damage(f"{sorted(about)} describe no step")
        step = cls(**about)
        step._check()
        return step

    def _check(self) -> None:
        check(self.graph, int)
        check(self.isa, str)
        for name in [*check_items(self.fetches), *check_items(self.targets)]:
            check(name, str)
        for ref in _of_names(self.feeds):
            _check_ref(ref)
        for ref in _of_names(self.variables):
            if ref is not None:
                _check_ref(ref)
        for refs in _of_names(self.kept):
            for ref in check_items(refs):
                _check_ref(ref)
        for state in _of_names(self.random_states):
            if not all(check(word, int) < 2**32 for word in check_items(state, _STATE_WORDS)):
                raise Damage(f"no random state: {state}")
        for outputs in _of_names(self.nodes):
            for output in check_items(outputs):
                _check_value(output)
        for digest in _of_names(self.variables_after):
            check(digest, int)
        if self.error is not None:
            check(self.error, str)


def _of_names(pairs: Any) -> list[Any]:
    """What a list of pairs has for its names."""
    found = []
    for pair in check_items(pairs):
        name, value = check_items(pair, 2)
        check(name, str)
        found.append(value)
    return found


def _check_ref(ref: Any) -> None:
    member, dtype, shape = check_items(ref, 3)
    check(member, str)
    with damage_if(TypeError):
        dtypes.as_dtype(check(dtype, str))
    for size in check_items(shape):
        check(size, int)


def _check_value(fields_of_value: Any) -> None:
    digest, dtype, dims, nans, infinities, finite, least, greatest = check_items(fields_of_value, 8)
    for number in [digest, dtype, *check_items(dims), nans, infinities, finite]:
        check(number, int)
    if dtype != 0:  # of no value
        with damage_if(TypeError):
            dtypes.as_dtype(dtype)
    if not all(type(bound) in (int, float) for bound in (least, greatest)):
        raise Damage(f"no bounds: {least!r}, {greatest!r}")
