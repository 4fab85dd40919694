"""Automatic control dependencies: stateful operations of a traced function run in program order, used or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf.framework import dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor

_Key = int | None  # of the tensor of a resource; None: the world outside


class _Step:
    """What has its place in the order: an operation, both branches of a condition, or a loop.

    Others wait for `ends`, which are there when all of it has happened; all that others do before is waited for by `begins`.
    """

    def __init__(self, begins: list[Operation], ends: list[Operation]) -> None:
        self.begins = begins
        self.ends = ends
        self.reads: dict[_Key, None] = {}
        self.writes: dict[_Key, None] = {}
        self.must_run = False


def in_program_order(ops: Sequence[Operation], context: Any = None) -> list[Operation]:
    """Adds control inputs so that operations on one resource, and those on what no tensor stands for, run in the order in
    which they were made. Returns those that must run even if nobody takes what they yield. `context` is the branch or loop
    that all of them are in."""
    steps = _steps(ops, context)
    _order(steps)
    return [end for step in steps if step.must_run for end in step.ends]


def _steps(ops: Sequence[Operation], context: Any) -> list[_Step]:
    """Those of a context, in the order in which they were begun."""
    found: list[_Step | list[tuple[Any, Operation]]] = []
    constructs: dict[
        Any, list[tuple[Any, Operation]]
    ] = {}  # operations of branches by the predicate, of loops by the loop
    for op in ops:
        inner = _right_inside(op._get_control_flow_context(), context)
        if inner is None:
            step = _step_of(op)
            if step is not None:
                found.append(step)
            continue
        key = inner if inner.IsWhileContext() else inner.pred
        if key not in constructs:
            found.append(constructs.setdefault(key, []))
        constructs[key].append((inner, op))
    steps = [step if isinstance(step, _Step) else _step_of_construct(step) for step in found]
    return [step for step in steps if step.reads or step.writes]


def _right_inside(context: Any, outer: Any) -> Any:
    """The context right inside of `outer` that is `context` or around it; None if that is `outer` or not in it."""
    inner = None
    while context is not outer:
        if context is None:
            return None
        inner, context = context, context.outer_context
    return inner


def _step_of(op: Operation) -> _Step | None:
    spec = op._spec
    if spec.is_placeholder or spec.is_variable or spec.is_random or spec.control_flow:
        return None  # fed, yields the same handle each time, or other numbers: when, and whether, is nobody's business
    keys: dict[_Key, None] = {_source(t)._key: None for t in op.inputs if t.dtype == dtypes.resource}
    if op._is_stateful and not keys:
        keys = {None: None}
    if not keys or (not op._is_stateful and spec.passes_value):
        return None
    step = _Step([op], [op])
    if spec.reads_resource:
        step.reads = keys
    else:
        step.writes = keys
        step.must_run = op._is_stateful
    return step


def _source(handle: Tensor) -> Tensor:
    """The handle outside of all branches and loops that it came into."""
    while handle.op._spec.control_flow in ("switch", "enter"):
        handle = handle.op.inputs[0]
    return handle


def _step_of_construct(members: list[tuple[Any, Operation]]) -> _Step:
    by_context: dict[Any, list[Operation]] = {}
    for context, op in members:
        by_context.setdefault(context, []).append(op)
    whole = _Step([], [])
    for context, ops in by_context.items():
        steps = _steps(ops, context)
        _order(steps)
        if context.IsWhileContext():
            whole.begins = [tensor.op for tensor in context.loop_enters]
            whole.ends = [tensor.op for tensor in context.loop_exits]
        else:
            whole.begins += [op for step in steps for op in step.begins]
            whole.ends = context.merges
        for step in steps:
            whole.reads |= step.reads
            whole.writes |= step.writes
            whole.must_run |= step.must_run
    return whole


def _order(steps: list[_Step]) -> None:
    writers: dict[_Key, _Step] = {}
    readers: dict[_Key, list[_Step]] = {}  # since the last writer
    for step in steps:
        before: dict[_Step, None] = {}
        for key in step.reads | step.writes:
            if key in writers:
                before[writers[key]] = None
            if key in step.writes:
                before.update(dict.fromkeys(readers.pop(key, ())))
                writers[key] = step
            else:  # readers need not wait for each other
                readers.setdefault(key, []).append(step)
        for earlier in before:
            for end in earlier.ends:
                for begin in step.begins:
                    begin._add_control_input(end)
