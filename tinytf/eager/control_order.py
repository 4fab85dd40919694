"""Automatic control dependencies: stateful operations of a traced function run in program order, used or not."""

from __future__ import annotations

from tinytf.framework import dtypes
from tinytf.framework.operation import Operation

# Yield the same handle whenever they run, or are what callers feed.
_PASSIVE = frozenset(("Placeholder", "PlaceholderWithDefault", "VarHandleOp", "VariableV2"))
# Stateful only in that they yield other numbers each time: their order, and whether they run, is nobody's business.
RANDOM = frozenset(
    (
        "Multinomial",
        "ParameterizedTruncatedNormal",
        "RandomGamma",
        "RandomPoisson",
        "RandomPoissonV2",
        "RandomShuffle",
        "RandomStandardNormal",
        "RandomUniform",
        "RandomUniformInt",
        "TruncatedNormal",
    )
)
# Leave the resource as it is, so that they need not wait for each other.
_READS = frozenset(("ReadVariableOp", "ResourceGather", "ResourceGatherNd", "VarIsInitializedOp", "VariableShape"))


def in_program_order(ops: list[Operation]) -> list[Operation]:
    """Adds control inputs so that operations on one resource, and those on what no tensor stands for, run in the order in
    which they were made. Returns those that must run even if nobody takes what they yield."""
    must_run = []
    writers: dict[int | None, Operation] = {}  # by key of the resource's tensor; None: the world outside
    readers: dict[int | None, list[Operation]] = {}  # since the last writer
    for op in ops:
        if op.type in _PASSIVE or op.type in RANDOM:
            continue
        keys: dict[int | None, None] = {t._key: None for t in op.inputs if t.dtype == dtypes.resource}
        if op._is_stateful:
            if op.type not in _READS:
                must_run.append(op)
            if not keys:
                keys = {None: None}
        if not keys or (not op._is_stateful and op.type == "Identity"):
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
        if op.type in _READS:
            readers.setdefault(key, []).append(op)
        else:
            before.update(dict.fromkeys(readers.pop(key, ())))
            writers[key] = op
    for earlier in before:
        op._add_control_input(earlier)
