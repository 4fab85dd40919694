"""Stateful ops of the session. Pairs in a queue are [0, 0], [1, 1], [2, 2]; the classes describe the contents of
other states.
"""

import numpy as np
from state_table import (
    PAIRS,
    Accumulator,
    Barrier,
    EarlyFifo,
    EarlyPadding,
    EarlyPriority,
    EarlyShuffling,
    Fifo,
    OrderedStagingMap,
    Padding,
    Priority,
    ResourceAccumulator,
    Shuffling,
    SparseAccumulator,
    SparseTable,
    Staging,
    StagingMap,
    StateRow,
)

from tinytf._src.framework.values import dtypes

F32, I32 = np.float32, np.int32
MORE = np.full([20, 2], 9, F32)  # exceeds the capacity of a new queue


def _pairs(*numbers):
    return [[[float(n), float(n)]] for n in numbers]


def _queue(state, v2="V2"):
    old, more = _pairs(0, 1, 2), _pairs(*[9] * 20)
    types = {"component_types": [dtypes.float32]}
    return [
        StateRow(f"QueueEnqueue{v2}", state, [[MORE[0]]], old + more[:1]),
        StateRow(f"QueueEnqueueMany{v2}", state, [[MORE]], old + more),
        StateRow(f"QueueDequeue{v2}", state, [], old[1:], [[0, 0]], types, needs_memory=False),
        StateRow(f"QueueDequeueMany{v2}", state, [I32(2)], old[2:], [[[0, 0], [1, 1]]], types),
        StateRow(f"QueueDequeueUpTo{v2}", state, [I32(2)], old[2:], [[[0, 0], [1, 1]]], types),
        StateRow(f"QueueSize{v2}", state, [], old, [3], needs_memory=False),
        StateRow(f"QueueClose{v2}", state, [], old, needs_memory=False),
    ]


def _map(state):
    p, types = state.prefix, {"dtypes": [dtypes.float32, dtypes.int32]}
    five, six = [5, [1, 1], 2], [6, [2, 2], 2]
    return [
        StateRow(f"{p}Stage", state, [np.int64(3), I32([0, 1]), [MORE[0], I32(4)]], [2, 1, [3, [9, 9], 4], five, six]),
        StateRow(f"{p}Stage", state, [np.int64(3), I32([1]), [I32(4)]], [1, 2, five, six]),
        StateRow(f"{p}Stage", state, [np.int64(6), I32([1]), [I32(4)]], [2, 0, five, [6, [2, 2], 4]]),
        StateRow(f"{p}Peek", state, [np.int64(5), I32([0, 1])], [1, 1, five, six], [[1, 1], 2], types),
        StateRow(f"{p}Unstage", state, [np.int64(5), I32([0, 1])], [0, 1, six], [[1, 1], 2], types),
        StateRow(f"{p}UnstageNoKey", state, [I32([0, 1])], [0, 1, six], [5, [1, 1], 2], types),
        StateRow(f"{p}Size", state, [], [1, 1, five, six], [1], types, needs_memory=False),
        StateRow(f"{p}IncompleteSize", state, [], [1, 1, five, six], [1], types, needs_memory=False),
        StateRow(f"{p}Clear", state, [], [0, 0], None, types, needs_memory=False),
    ]


def _accumulator(state, kind=""):
    two = [2, [2, 2]]
    return [
        StateRow(f"{kind}AccumulatorApplyGradient", state, [np.int64(9), PAIRS[2] + 3], [3, [3, 3]]),
        StateRow(f"{kind}AccumulatorTakeGradient", state, [I32(2)], [0, None], [[2, 2]], {"dtype": dtypes.float32}),
        StateRow(f"{kind}AccumulatorSetGlobalStep", state, [np.int64(1)], two),
        StateRow(f"{kind}AccumulatorNumAccumulated", state, [], two, [2], needs_memory=False),
    ]


_SPARSE = [SparseTable.indices, SparseTable.values, SparseTable.shape]
_ONE = [[[0, 1], [2, 0]], [1, 2], [3, 2]]
_BARRIER = [1, 2, [[b"c"], [[2, 2]], [7]], [[b"a"], [[0, 0]], [8]], [[b"b"], [[1, 1]], [8]]]

ROWS = [
    *_queue(Fifo),
    *_queue(EarlyFifo, ""),
    *_queue(Padding),
    *(
        StateRow("QueueSize", kind, [], _pairs(0, 1, 2), [3], needs_memory=False)
        for kind in (EarlyPadding, EarlyShuffling)
    ),
    StateRow("QueueSize", EarlyPriority, [], [[3, [1, 1]], [4, [2, 2]], [5, [0, 0]]], [3], needs_memory=False),
    StateRow("QueueIsClosedV2", Fifo, [], _pairs(0, 1, 2), [False], needs_memory=False),
    StateRow("QueueIsClosed", EarlyFifo, [], _pairs(0, 1, 2), [False], needs_memory=False),
    StateRow("QueueEnqueueManyV2", Shuffling, [[MORE]], _pairs(0, 1, 2, *[9] * 20)),
    StateRow("QueueDequeueManyV2", Shuffling, [I32(3)], [], None, {"component_types": [dtypes.float32]}),
    StateRow(
        "QueueEnqueueManyV2",
        Priority,
        [[np.arange(20, dtype=np.int64) + 10, MORE]],
        [[3, [1, 1]], [4, [2, 2]], [5, [0, 0]], *([10 + i, [9, 9]] for i in range(20))],
    ),
    StateRow(
        "QueueDequeueManyV2",
        Priority,
        [I32(2)],
        [[5, [0, 0]]],
        [[3, 4], [[1, 1], [2, 2]]],
        {"component_types": [dtypes.int64, dtypes.float32]},
    ),
    StateRow(
        "BarrierInsertMany",
        Barrier,
        [np.array([b"d", b"a", b"b"], object), I32([1, 2, 3])],
        [
            *[3, 1, [[b"c"], [[2, 2]], [7]], [[b"a"], [[0, 0]], [2]], [[b"b"], [[1, 1]], [3]]],
            [[b"d"], [[8, 8]], [1]],
        ],
        None,
        {"component_index": 1},
    ),
    StateRow(
        "BarrierTakeMany",
        Barrier,
        [I32(1)],
        [0, 2, *_BARRIER[3:]],
        None,
        {"component_types": Barrier.attrs["component_types"]},
    ),
    StateRow("BarrierReadySize", Barrier, [], _BARRIER, [1], needs_memory=False),
    StateRow("BarrierIncompleteSize", Barrier, [], _BARRIER, [2], needs_memory=False),
    StateRow("BarrierClose", Barrier, [], _BARRIER, needs_memory=False),
    StateRow("Stage", Staging, [[MORE[0]]], _pairs(0, 1, 2, 9)),
    StateRow("Unstage", Staging, [], _pairs(1, 2), [[0, 0]], {"dtypes": [dtypes.float32]}, needs_memory=False),
    StateRow("StagePeek", Staging, [I32(1)], _pairs(0, 1, 2), [[1, 1]], {"dtypes": [dtypes.float32]}),
    StateRow("StageSize", Staging, [], _pairs(0, 1, 2), [3], {"dtypes": [dtypes.float32]}, needs_memory=False),
    StateRow("StageClear", Staging, [], [], None, {"dtypes": [dtypes.float32]}),
    *_map(StagingMap),
    *_map(OrderedStagingMap),
    StateRow("AddSparseToTensorsMap", SparseTable, _SPARSE, [[[[0, *i] for i in _ONE[0]], _ONE[1], [1, *_ONE[2]]]] * 3),
    StateRow(
        "AddManySparseToTensorsMap",
        SparseTable,
        _SPARSE,
        [
            *[[[[0, *i] for i in _ONE[0]], _ONE[1], [1, *_ONE[2]]]] * 2,
            [[[0, 1]], [1], [1, 2]],
            [[], [], [1, 2]],
            [[[0, 0]], [2], [1, 2]],
        ],
    ),
    StateRow(
        "TakeManySparseFromTensorsMap",
        SparseTable,
        lambda table: [np.array(table.numbers, np.int64)],
        ["not there"] * 2,
        [[[0, 0, 1], [0, 2, 0], [1, 0, 1], [1, 2, 0]], [1, 2, 1, 2], [2, 3, 2]],
        {"dtype": dtypes.float32},
    ),
    *_accumulator(Accumulator),
    *_accumulator(ResourceAccumulator, "Resource"),
    StateRow(
        "SparseAccumulatorApplyGradient",
        SparseAccumulator,
        [np.int64(9), np.array([0, 3]), F32([[9, 9], [5, 5]]), np.array([4, 2])],
        [3, [[0, 1, 3], [[9, 9], [1, 1], [3, 3]], [4, 2]]],
        None,
        {"has_known_shape": True},
    ),
    StateRow(
        "SparseAccumulatorTakeGradient",
        SparseAccumulator,
        [I32(2)],
        [0, None],
        [[1, 3], [[1, 1], [2, 2]], [4, 2]],
        {"dtype": dtypes.float32},
    ),
]
