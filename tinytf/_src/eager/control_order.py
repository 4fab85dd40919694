"""Automatic control dependencies: stateful operations of a traced function run in program order, used or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.resources.handle_source import handle_source
from tinytf._src.framework.values import dtypes

_Key = int | None  # key of a resource's handle tensor; None: state outside of any resource


class _Step:
    """An operation that must keep its place in program order, and the resources that it uses."""

    def __init__(self, op: Operation, keys: dict[_Key, None]) -> None:
        self.op = op
        self.keys = keys
        self.only_reads = op._spec.reads_resource


def in_program_order(ops: Sequence[Operation], context: Any = None) -> list[Operation]:
    """Adds control inputs so that operations on one resource, and operations with other side effects, run in the order
    of their creation. Returns the operations that must run even if their outputs are unused.

    Only operations in control flow context `context` count. Others belong to gradients of loops, whose order does not
    matter: they read values that the forward loop has stored.
    """
    steps = [step for op in ops if op._get_control_flow_context() is context if (step := _step_of(op)) is not None]
    _order(steps)
    return [step.op for step in steps if not step.only_reads and depends_on_state(step.op)]


def has_side_effects(op: Operation) -> bool:
    """Returns whether the operation has side effects outside of resources."""
    step = _step_of(op)
    return step is not None and None in step.keys


def depends_on_state(op: Operation) -> bool:
    """Returns whether the operation is stateful. Stateful calls, branches and loops count only if their functions do
    more than compute values."""
    if not op._is_stateful or not op._spec.runs_functions:
        return op._is_stateful
    functions = list(_called(op))
    return not functions or any(getattr(function, "is_impure", True) for function in functions)


def _step_of(op: Operation) -> _Step | None:
    spec = op._spec
    if spec.is_placeholder or spec.is_variable or spec.is_random or spec.control_flow:
        return None  # fed, always the same handle, or random: their order does not matter
    keys: dict[_Key, None] = {handle_source(handle)._key: None for handle in _resources(op)}
    stateful = depends_on_state(op)
    if stateful and (not keys or any(getattr(function, "has_side_effects", False) for function in _called(op))):
        keys[None] = None
    if not keys or (not stateful and spec.passes_value):
        return None
    return _Step(op, keys)


def _resources(op: Operation) -> Iterator[Any]:
    """Yields the handles that the operation takes. If it runs a dataset itself, also those that the functions of this
    dataset, and of those it is made of, take."""
    runs_datasets = op._is_stateful and op._spec.reads_external_state
    pending, seen = [op], {op}
    for user in pending:
        for tensor in user.inputs:
            if tensor.dtype == dtypes.resource:
                yield tensor
            elif runs_datasets and tensor.dtype == dtypes.variant and tensor.op not in seen:
                seen.add(tensor.op)
                pending.append(tensor.op)


def _called(op: Operation) -> Iterator[Any]:
    """Yields the traced functions that the operation calls; None for each function that was not traced."""
    if op._spec.runs_functions:
        for attr in op._spec.attrs:
            if attr.kind in ("func", "list(func)"):
                names = op._raw_attr(attr.name)
                yield from map(op.graph._functions.find, [names] if attr.kind == "func" else names)


def _order(steps: list[_Step]) -> None:
    writers: dict[_Key, _Step] = {}
    readers: dict[_Key, list[_Step]] = {}  # since the last writer
    for step in steps:
        before: dict[Operation, None] = {}
        for key in step.keys:
            if key in writers:
                before[writers[key].op] = None
            if step.only_reads:  # readers need not wait for each other
                readers.setdefault(key, []).append(step)
            else:
                before.update((reader.op, None) for reader in readers.pop(key, ()))
                writers[key] = step
        for earlier in before:
            step.op._add_control_input(earlier)
