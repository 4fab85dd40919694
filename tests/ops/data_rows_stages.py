"""Rows of datasets that pass on, choose, split and join elements of other datasets."""

import numpy as np
from data_nodes import (
    ELEMENTS,
    F32,
    FLOATS,
    I64,
    INFINITE,
    MOST,
    PAIR,
    PAIRS,
    TEXT,
    UNKNOWN,
    failing,
    mapped,
    number_range,
    slices,
    text,
)
from data_table import DatasetRow, Function, Node, node

from tinytf._src.framework.errors.errors import DataLossError, InvalidArgumentError
from tinytf._src.framework.values import dtypes

_FAILING = mapped(number_range(4), failing)  # -3, an error, 5, 3
_BATCHES = Node("BatchDataset", (number_range(5), np.int64(2)))
_LENGTHS = mapped(number_range(5), lambda x: node("Fill", node("Reshape", x % 4, [1]), x))


def _row(op, inputs, elements, cardinality, *, made=None, types=(I64,), attrs=None, earlier=True, **more):
    """A row of a stage of one dataset, which also has its earlier name if not told otherwise."""
    made = Node(op, (made or number_range(4), *inputs), attrs or {}, types)
    names = (f"Experimental{op}",) if earlier else ()
    return DatasetRow(made, elements, cardinality, other_names=names, **more)


def _same(op, *inputs, **more):
    """A row of a stage that yields the elements of its input."""
    return _row(op, inputs, (0, 1, 2, 3), 4, **more)


def _shared(name, op, **attrs):
    """A resource of the session."""
    return Node(op, (), {"shared_name": name, "container": "", **attrs})


_STATISTICS = _shared("statistics", "StatsAggregatorHandle")
_THREADS = _shared("threads", "ThreadPoolHandle", num_threads=2, display_name="threads")
_MEASURED = _row("BytesProducedStatsDataset", [text(b"bytes")], (), 4).made


def _sparse(made, dtype):
    """The indices, values and shapes of the SparseTensors that are elements of the dataset."""

    def parts(stored):
        return node("DeserializeSparse", stored, dtype=dtype)

    return Node("MapDataset", (made, []), {"f": Function(parts, (dtypes.variant,))}, (I64, dtype, I64))


def _sparse_row(size, row_shape, elements, cardinality, made=_LENGTHS, **more):
    op = "DenseToSparseBatchDataset"
    made = Node(op, (made, np.int64(size), np.int64(row_shape)), types=(dtypes.variant,), shapes=([3],))
    names = (f"Experimental{op}",)
    return DatasetRow(_sparse(made, I64), elements, cardinality, about=op, other_names=names, **more)


def _padded(op, size, shapes, values, elements, cardinality, made, types, *drops):
    made = Node(
        op, (made, np.int64(size), [np.int64(s) for s in shapes], list(values), *map(np.array, drops)), types=types
    )
    return DatasetRow(made, elements, cardinality)


def _directed(selected, elements, cardinality, *datasets):
    op = "DirectedInterleaveDataset"
    made = Node(op, (slices(np.int64(selected)), list(datasets or (number_range(2), number_range(9, 7)))))
    return DatasetRow(made, elements, cardinality, other_names=(f"Experimental{op}",))


def _fastest(*datasets, elements, cardinality, **attrs):
    op = "ChooseFastestDataset"
    made = Node(op, (list(datasets),), {"num_experiments": 2, **attrs})
    return DatasetRow(made, elements, cardinality, other_names=(f"Experimental{op}",))


def _branch(op):
    of = {"output_types": [I64], "output_shapes": [None]}
    return Function(lambda made, count: node(op, made, count, **of), (dtypes.variant, I64))


def _windows(size, shift, stride, drops, elements, cardinality, made=None):
    """A row of windows; each element is the batch of a window."""
    inputs = (made or number_range(5), *np.int64([size, shift, stride]), np.array(drops))
    windows = Node("WindowDataset", inputs, types=(dtypes.variant,), shapes=([],))
    of = {"output_types": [I64], "output_shapes": [None]}

    def batch(window):
        return node("DatasetToSingleElement", node("BatchDataset", window, 9, **of), **of)

    return DatasetRow(mapped(windows, batch), elements, cardinality, about="WindowDataset")


def _sliding(size, shift, stride, elements, cardinality):
    inputs = np.int64([size, shift, stride])
    return _row("SlidingWindowDataset", inputs, elements, cardinality, made=number_range(5))


def _rebatch(replicas, elements, made=_BATCHES, **more):
    return _row("RebatchDataset", [np.int64(replicas)], elements, UNKNOWN, made=made, **more)


_EMPTY = np.zeros([0], np.int64)

ROWS = [
    _same("AssertNextDataset", np.array([], object)),
    _same("MaxIntraOpParallelismDataset", np.int64(2)),
    _same("PrivateThreadPoolDataset", np.int64(2)),
    _same("ThreadPoolDataset", _THREADS),
    _same("ThreadPoolDataset", _THREADS.named("ThreadPoolHandle", "ExperimentalThreadPoolHandle"), earlier=False),
    _same("NonSerializableDataset"),
    _same("SleepDataset", np.int64(1)),
    _same("LatencyStatsDataset", text(b"time")),
    _same("BytesProducedStatsDataset", text(b"bytes")),
    _same("SetStatsAggregatorDataset", _STATISTICS, text(b"tag"), text(b""), made=_MEASURED, saves=False),
    _same(
        "SetStatsAggregatorDataset",
        _STATISTICS.named("StatsAggregatorHandle", "ExperimentalStatsAggregatorHandle"),
        text(b""),
        text(b""),
        made=_MEASURED,
        earlier=False,
        saves=False,
    ),
    _row("IgnoreErrorsDataset", [], (-3, 5, 3), 4, made=_FAILING),
    _row("AutoShardDataset", np.int64([3, 1]), (1, 4), 2, made=number_range(6)),
    _row("ShardDataset", np.int64([3, 1]), (1, 4), 2, made=number_range(6), earlier=False),
    _row("ShardDataset", np.int64([2, 0]), (-3, InvalidArgumentError, 3), 2, made=_FAILING, earlier=False),
    _row("ShardDataset", np.int64([9, 1]), (1,), 1, earlier=False),
    _row("ShardDataset", np.int64([3, 1]), (1,), 1, attrs={"require_non_empty": True}, earlier=False),
    _row("UniqueDataset", [], (2, 1, 3), UNKNOWN, made=slices(np.int64([2, 1, 2, 3, 1]))),
    _row(
        "UniqueDataset",
        [],
        (b"a", b""),
        UNKNOWN,
        made=slices(np.array([b"a", b"", b"a"], object), types=(TEXT,)),
        types=(TEXT,),
    ),
    _row("UnbatchDataset", [], (0, 1, 2, 3, 4), UNKNOWN, made=_BATCHES),
    _row(
        "UnbatchDataset", [], ELEMENTS, UNKNOWN, made=Node("BatchDataset", (PAIRS, np.int64(2)), types=PAIR), types=PAIR
    ),
    _row("UnbatchDataset", [], (InvalidArgumentError,) * 2, UNKNOWN, made=number_range(2)),
    _rebatch(2, ([0], [1], [2], [3], [4], _EMPTY)),
    _rebatch(1, ([0, 1], [2, 3], [4])),
    _rebatch(MOST, ([0], [1], _EMPTY, _EMPTY), ends=False),
    _rebatch(2, (InvalidArgumentError,) * 2, made=number_range(2)),
    _sliding(2, 1, 2, ([0, 2], [1, 3], [2, 4]), 5),
    _sliding(2, 3, 1, ([0, 1], [3, 4]), 1),
    _sliding(9, 1, 1, (), 5),
    _windows(2, 2, 1, False, ([0, 1], [2, 3], [4]), 3),
    _windows(2, 1, 2, True, ([0, 2], [1, 3], [2, 4]), 3),
    _windows(2, MOST, 1, False, ([0, 1],), 1),
    _windows(2, 2, 1, False, (InvalidArgumentError, [5, 3]), 2, made=_FAILING),
    _sparse_row(
        2,
        [5],
        (
            ([[1, 0]], [1], [2, 5]),
            ([[0, 0], [0, 1], [1, 0], [1, 1], [1, 2]], [2, 2, 3, 3, 3], [2, 5]),
            (np.zeros([0, 2]), _EMPTY, [1, 5]),
        ),
        3,
    ),
    _sparse_row(
        4,
        [-1],
        (([[1, 0], [2, 0], [2, 1], [3, 0], [3, 1], [3, 2]], [1, 2, 2, 3, 3, 3], [4, 3]),)
        + ((np.zeros([0, 2]), _EMPTY, [1, 0]),),
        2,
    ),
    _sparse_row(2, [2], (([[1, 0]], [1], [2, 2]), DataLossError, (np.zeros([0, 2]), _EMPTY, [1, 2])), 3),
    _padded(
        "PaddedBatchDataset",
        3,
        [[-1]],
        [np.int64(9)],
        ([[9, 9], [1, 9], [2, 2]], [[3, 3, 3], [9, 9, 9]]),
        2,
        _LENGTHS,
        (I64,),
    ),
    _padded(
        "PaddedBatchDatasetV2",
        3,
        [[4]],
        [np.int64(9)],
        ([[9, 9, 9, 9], [1, 9, 9, 9], [2, 2, 9, 9]],),
        1,
        _LENGTHS,
        (I64,),
        True,
    ),
    _padded(
        "PaddedBatchDatasetV2",
        2,
        [[2]],
        [np.int64(9)],
        ([[9, 9], [1, 9]], DataLossError, [[9, 9]]),
        3,
        _LENGTHS,
        (I64,),
        False,
    ),
    _padded(
        "PaddedBatchDataset",
        2,
        [[3], []],
        [np.float32(0), text(b"")],
        (([[1, 2, 0], [3, 4, 0]], [b"a", b"bc"]), ([[5, 6, 0]], [b""])),
        2,
        PAIRS,
        PAIR,
    ),
    DatasetRow(
        Node(
            "FilterByLastComponentDataset",
            (slices(FLOATS, np.array([True, False, True]), types=(F32, dtypes.bool)),),
            types=(F32,),
        ),
        (FLOATS[0], FLOATS[2]),
        UNKNOWN,
    ),
    _directed([0, 1, 1, 0, 0, 1], (0, 7, 8, 1), UNKNOWN),
    _directed([1, 0], (7, 0), UNKNOWN),
    _directed([0, 5, 1], (0, InvalidArgumentError, 7), UNKNOWN),
    _fastest(
        number_range(4), _same("AssertNextDataset", np.array([], object)).made, elements=(0, 1, 2, 3), cardinality=4
    ),
    _fastest(number_range(1), number_range(1), number_range(1), elements=(0,), cardinality=1),
    DatasetRow(
        Node(
            "ChooseFastestBranchDataset",
            (number_range(8), np.int64(1), np.int64(1), [np.int64(0), np.int64(-1)]),
            {
                "branches": [_branch("SkipDataset"), _branch("TakeDataset")],
                "num_elements_per_branch": 2,
                "other_arguments_lengths": [1, 1],
            },
        ),
        (0, 1, 2, 3, 4, 5, 6, 7),
        8,
    ),
    DatasetRow(Node("UnwrapDatasetVariant", (Node("WrapDatasetVariant", (number_range(3),)),)), (0, 1, 2), 3),
    DatasetRow(Node("DatasetFromGraph", (Node("DatasetToGraph", (_BATCHES,)),)), ([0, 1], [2, 3], [4]), 3),
    _row("CacheDataset", [text(b"")], (0, 1, 2, 3), 4, earlier=False),
    _row("CacheDataset", [text(b"")], (-3, InvalidArgumentError, 5, 3), 4, made=_FAILING, earlier=False),
    _row("CacheDatasetV2", [text(b""), Node("AnonymousMemoryCache")], (0, 1, 2, 3), 4, earlier=False),
    DatasetRow(
        Node(
            "RepeatDataset",
            (_row("CacheDataset", [text(b"")], (), 4, made=PAIRS, types=PAIR).made, np.int64(-1)),
            types=PAIR,
        ),
        ELEMENTS * 2,
        INFINITE,
        ends=False,
        about="CacheDataset",
    ),
]
