"""`RecordedStep`: the representation of one step in a file of recorded steps."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from tinytf._src.debug.record_damage import Damage, check, check_items, damage_if
from tinytf._src.debug.record_format import ArrayRef
from tinytf._src.framework.values import dtypes

_STATE_WORDS = 6  # of a random generator's state: counter and key


def run_of(name: str, iterations: str) -> str:
    """Returns the identifier of one run of a node: "NAME", or "NAME in iteration …" within loops."""
    return f"{name} {iterations}" if iterations else name


@dataclass
class RecordedStep:
    """A recorded step; tensors and operations are identified by name."""

    graph: int  # number of the GraphDef
    isa: str  # instruction set level of the kernels
    fetches: list[str]
    targets: list[str]
    feeds: list[tuple[str, ArrayRef]]
    random_states: list[tuple[str, list[int]]]  # of nodes with random generators, before the step
    variables: list[tuple[str, ArrayRef | None]]  # by variable node, before the step; None if uninitialized
    kept: list[tuple[str, list[ArrayRef]]]  # outputs of nodes that cannot be run again
    nodes: list[tuple[str, list[list[Any]]]]  # outputs of each run of a node, keyed by `run_of`: see `Value`
    variables_after: list[tuple[str, int]]  # digests of the variables' values
    error: str | None  # text of the exception, if the step raised one

    @classmethod
    def from_json(cls, about: Any) -> RecordedStep:
        """Returns the step from decoded JSON; raises Damage if it is invalid."""
        if check(about, dict).keys() != {field.name for field in fields(cls)}:
            raise Damage(f"the fields {sorted(about)} are not the fields of a step")
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
                raise Damage(f"invalid random state: {state}")
        for outputs in _of_names(self.nodes):
            for output in check_items(outputs):
                _check_value(output)
        for digest in _of_names(self.variables_after):
            check(digest, int)
        if self.error is not None:
            check(self.error, str)


def _of_names(pairs: Any) -> list[Any]:
    """Checks a list of pairs (name, value) and returns the values."""
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
    if dtype != 0:  # 0 stands for no value
        with damage_if(TypeError):
            dtypes.as_dtype(dtype)
    if not all(type(bound) in (int, float) for bound in (least, greatest)):
        raise Damage(f"invalid bounds: {least!r}, {greatest!r}")
