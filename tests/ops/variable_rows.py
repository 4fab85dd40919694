"""Rows of ops on one variable: assignments, counters, reads, slices, scattered updates."""

import numpy as np
from state_table import StateRow
from variable_states import EarlyReferences, References, Resources, of

from tinytf._src.framework.values import dtypes

F32, I32 = np.float32, np.int32
_START = [1.0, 2.0, 4.0]
_MORE = F32([0.5, 1, 2])
_PLACES = np.array([2, 0], np.int64)
_INT = I32(3)
_THREE = {"dtype": dtypes.float32, "shape": [3]}


def _row(op, kind, inputs, left, result=None, attrs=None, starts=(_START,), needs_memory=None, **options):
    state = of(kind, *starts, **options)
    return StateRow(op, state, inputs, left, result, attrs or {}, needs_memory=needs_memory)


def _both(op, inputs, left, result=None, attrs=None, **options):
    """Rows on a reference and on a resource. A reference is the output of its op too."""
    yield _row(op, References, inputs, left, left if result is None else result, attrs, **options)
    resource = {"AssignAdd": "AssignAddVariableOp", "AssignSub": "AssignSubVariableOp", "Assign": "AssignVariableOp"}
    yield _row(resource.get(op, f"Resource{op}"), Resources, inputs, left, result, attrs, **options)


_SCATTERED = {
    "Add": [3, 2, 5],
    "Sub": [-1, 2, 3],
    "Mul": [2, 2, 4],
    "Div": [0.5, 2, 4],
    "Min": [1, 2, 1],
    "Max": [2, 2, 4],
    "Update": [2, 2, 1],
}
_UPDATES = F32([1, 2])

ROWS = [
    *_both("Assign", [_MORE], [[0.5, 1, 2]]),
    *_both("AssignAdd", [_MORE], [[1.5, 3, 6]]),
    *_both("AssignSub", [_MORE], [[0.5, 1, 2]]),
    _row("Assign", EarlyReferences, [_MORE], [[0.5, 1, 2]], [[0.5, 1, 2]]),
    # The start value fits no more after this one.
    _row("Assign", References, [_MORE[:2]], [[0.5, 1]], None, {"validate_shape": False}, needs_memory=False),
    *_both("CountUpTo", [], [4], [3], {"limit": 5, "T": dtypes.int32}, starts=(_INT,), dtype="int32"),
    _row("IsVariableInitialized", References, [], [_START], [True]),
    _row("IsVariableInitialized", References, [], ["no value"], [False], empty=True),
    _row("RefIdentity", References, [], [_START], [_START]),
    _row("ZeroInitializer", References, [], [[0, 0, 0]], [[0, 0, 0]], empty=True, needs_memory=False),
    _row("ZeroVarInitializer", Resources, [], [[0, 0, 0]], None, _THREE, empty=True, needs_memory=False),
    _row("ReadVariableOp", Resources, [], [_START], [_START], {"dtype": dtypes.float32}),
    _row("VarIsInitializedOp", Resources, [], [_START], [True]),
    _row("VarIsInitializedOp", Resources, [], ["no value"], [False], empty=True),
    _row("VariableShape", Resources, [], [_START], [[3]], {"out_type": dtypes.int32}),
    _row("DestroyResourceOp", Resources, [], ["no value"], needs_memory=False),
    _row("ResourceGather", Resources, [_PLACES], [_START], [[4, 1]], {"dtype": dtypes.float32}),
    _row("ResourceGatherNd", Resources, [_PLACES[:, None]], [_START], [[4, 1]], {"dtype": dtypes.float32}),
    *_both("StridedSliceAssign", [I32([0]), I32([3]), I32([2]), F32([7, 8])], [[7, 2, 8]]),
    *(row for name, left in _SCATTERED.items() for row in _both(f"Scatter{name}", [_PLACES, _UPDATES], [left])),
    *(
        row
        for name in ("Add", "Sub", "Update")
        for row in _both(f"ScatterNd{name}", [_PLACES[:, None], _UPDATES], [_SCATTERED[name]])
    ),
]
