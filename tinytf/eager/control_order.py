"""Automatic control dependencies: stateful operations of a traced function run in program order, used or not."""

from __future__ import annotations

from tinytf.framework import dtypes
from tinytf.framework.operation import Operation


def in_program_order(ops: list[Operation]) -> list[Operation]:
    """Adds control inputs so that operations on one resource, and those on what no tensor stands for, run in the order in
    which they were made. Returns those that must run even if nobody takes what they yield."""
    must_run = []
    writers: dict[int | None, Operation] = {}  # by key of the resource's tensor; None: the world outside
    readers: dict[int | None, list[Operation]] = {}  # since the last writer
    for op in ops:
        spec = op._spec
        if spec.is_placeholder or spec.is_variable or spec.is_random:
            continue  # fed, yields the same handle each time, or other numbers: when, and whether, is nobody's business
        keys: dict[int | None, None] = {t._key: None for t in op.inputs if t.dtype == dtypes.resource}
        if op._is_stateful:
            if not spec.reads_resource:
                must_run.append(op)
            if not keys:
                keys = {None: None}
        if not keys or (not op._is_stateful and spec.passes_value):
            continue
        _order(op, keys, writers, readers)
    return must_run


def _order(
    op: Operation,
    keys: dict[int | None, None],
    writers: dict[int | None, Operation],
    readers: dict[int | None, list[Operation]],
) -> None:
    before: dict[Operation, None] = {}
    for key in keys:
        writer = writers.get(key)
        if writer is not None:
            before[writer] = None
        if op._spec.reads_resource:  # readers need not wait for each other
            readers.setdefault(key, []).append(op)
        else:
            before.update(dict.fromkeys(readers.pop(key, ())))
            writers[key] = op
    for earlier in before:
        op._add_control_input(earlier)
