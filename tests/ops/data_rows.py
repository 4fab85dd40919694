"""Rows of datasets of tensors, and of stages that have no random order and read no files."""

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
    TEXTS,
    UNKNOWN,
    failing,
    function_row,
    number_range,
    range_to,
    slices,
)
from data_table import DatasetRow, Node, node

from tinytf._src.framework.errors.errors import InvalidArgumentError


def _counted(op, count, elements, cardinality, made=None, **more):
    return DatasetRow(Node(op, (made or number_range(4), np.int64(count))), elements, cardinality, **more)


_MAP = {"preserve_cardinality": True}
_ONES = function_row(
    "FilterDataset", number_range(3), [], lambda x: node("Equal", x, 1), (I64,), (), 0, name="predicate"
).made


def _maps(op):
    yield function_row(op, number_range(4), [], lambda x: x * x + 1, (I64,), (1, 2, 5, 10), 4)
    yield function_row(
        op, number_range(3), [np.int64(5)], lambda x, c: (c, x + c), (I64,) * 2, ((5, 5), (5, 6), (5, 7)), 3, (I64,) * 2
    )
    yield function_row(op, number_range(3), [], failing, (I64,), (-3, InvalidArgumentError, 5), 3, attrs=_MAP)
    yield function_row(op, PAIRS, [], lambda x, s: (s, x), PAIR, tuple((s, x) for x, s in ELEMENTS), 3, PAIR[::-1])


def _batch(size, elements, cardinality, made=None, drops=None, types=(I64,)):
    inputs = (made or number_range(5), np.int64(size))
    if drops is None:
        return DatasetRow(Node("BatchDataset", inputs, types=types), elements, cardinality)
    return DatasetRow(Node("BatchDatasetV2", (*inputs, np.array(drops)), types=types), elements, cardinality)


def _rewritten(rewrite, made, elements, cardinality):
    return DatasetRow(Node("OptimizeDataset", (made, np.array([rewrite.encode()], object))), elements, cardinality)


_MISFITS = function_row(
    "MapDataset", number_range(4), [], lambda x: node("Fill", node("Reshape", x % 2, [1]), x), (I64,), (), 4
).made

ROWS = [
    DatasetRow(number_range(3), (0, 1, 2), 3),
    DatasetRow(number_range(-5, 3, -4), (3, -1), 2),
    DatasetRow(number_range(0, 3), (), 0, needs_memory=False),
    DatasetRow(number_range(MOST, -MOST), (-MOST, 1 - MOST), MOST, ends=False),
    DatasetRow(Node("TensorDataset", ([FLOATS, TEXTS],), types=PAIR), ((FLOATS, TEXTS),), 1, needs_memory=False),
    DatasetRow(PAIRS, ELEMENTS, 3, needs_memory=False),
    DatasetRow(slices(np.zeros([0, 2], np.float32), types=(F32,)), (), 0, needs_memory=False),
    DatasetRow(slices(np.zeros([2, 0], np.float32), types=(F32,)), (np.zeros([0]),) * 2, 2, needs_memory=False),
    *_maps("MapDataset"),
    *_maps("ExperimentalMapDataset"),
    function_row(
        "FilterDataset",
        number_range(6),
        [],
        lambda x: node("Equal", x % 3, 1),
        (I64,),
        (1, 4),
        UNKNOWN,
        name="predicate",
    ),
    function_row(
        "FilterDataset",
        PAIRS,
        [b"bc"],
        lambda x, s, c: node("Equal", s, c),
        (*PAIR, TEXT),
        ELEMENTS[1:2],
        UNKNOWN,
        PAIR,
        name="predicate",
    ),
    function_row(
        "FilterDataset",
        number_range(3),
        [],
        lambda x: node("Equal", failing(x), 5),
        (I64,),
        (InvalidArgumentError, 2),
        UNKNOWN,
        name="predicate",
    ),
    function_row("FlatMapDataset", number_range(4), [], range_to, (I64,), (0, 0, 1, 0, 1, 2), UNKNOWN),
    function_row(
        "FlatMapDataset", number_range(3), [np.int64(2)], lambda x, c: range_to(c - x), (I64,) * 2, (0, 1, 0), UNKNOWN
    ),
    function_row(
        "FlatMapDataset",
        number_range(3),
        [],
        lambda x: range_to(failing(x)),
        (I64,),
        (InvalidArgumentError, 0, 1, 2, 3, 4),
        UNKNOWN,
    ),
    _batch(2, ([0, 1], [2, 3], [4]), 3),
    _batch(7, (np.arange(5),), 1),
    _batch(2, ([0, 1], [2, 3], [4]), 3, drops=False),
    _batch(2, ([0, 1], [2, 3]), 2, drops=True),
    _batch(MOST, (np.arange(5),), 1, drops=False),
    _batch(2, ((FLOATS[:2], TEXTS[:2]), (FLOATS[2:], TEXTS[2:])), 2, made=PAIRS, types=PAIR),
    _batch(2, (InvalidArgumentError, InvalidArgumentError), 2, made=_MISFITS, drops=False),
    _batch(2, ([1, 2], [5, 10]), 2, made=next(_maps("MapDataset")).made, drops=True),
    _counted("RepeatDataset", 2, (0, 1, 2, 3) * 2, 8),
    _counted("RepeatDataset", 0, (), 0, needs_memory=False),
    _counted("RepeatDataset", -1, (0, 1, 2, 3, 0), INFINITE, ends=False),
    _counted("RepeatDataset", -1, (), 0, made=number_range(0), needs_memory=False),
    _counted("RepeatDataset", -1, (1, 1, 1), INFINITE, made=_ONES, ends=False),
    _counted("RepeatDataset", 2, (1, 1), UNKNOWN, made=_ONES),
    _counted("TakeDataset", 3, (0, 1, 2), 3),
    _counted("TakeDataset", 9, (0, 1, 2, 3), 4),
    _counted("TakeDataset", -1, (0, 1, 2, 3), 4),
    _counted("TakeDataset", 0, (), 0, needs_memory=False),
    _counted("SkipDataset", 3, (3,), 1),
    _counted("SkipDataset", 0, (0, 1, 2, 3), 4),
    _counted("SkipDataset", 9, (), 0),
    _counted("SkipDataset", -1, (), 0, needs_memory=False),
    DatasetRow(Node("ConcatenateDataset", (number_range(2), number_range(7, 5))), (0, 1, 5, 6), 4),
    DatasetRow(Node("ConcatenateDataset", (number_range(0), number_range(1))), (0,), 1),
    DatasetRow(
        Node("ZipDataset", ([number_range(4), PAIRS],), types=(I64, *PAIR)),
        tuple((i, *e) for i, e in enumerate(ELEMENTS)),
        3,
    ),
    DatasetRow(Node("ZipDataset", ([number_range(2)],)), (0, 1), 2),
    *(_counted("PrefetchDataset", size, (0, 1, 2, 3), 4) for size in (-1, 0, 1, 3, MOST)),
    _counted("PrefetchDataset", 2, (-3, InvalidArgumentError, 5), 3, made=list(_maps("MapDataset"))[2].made),
    _counted(
        "PrefetchDataset",
        2,
        (0, 1, 0),
        INFINITE,
        ends=False,
        made=_counted("RepeatDataset", -1, (), 0, made=number_range(2)).made,
    ),
    _rewritten("noop_elimination", number_range(3), (0, 1, 2), 3),
    _rewritten("noop_elimination", _counted("TakeDataset", -1, (), 0).made, (0, 1, 2, 3), 4),
    _rewritten(
        "shuffle_and_repeat_fusion",
        _counted(
            "RepeatDataset", 2, (), 0, made=Node("ShuffleDataset", (number_range(5), *np.int64([3, 87654321, 7])))
        ).made,
        (0, 2, 3, 1, 4, 2, 1, 0, 3, 4),
        10,
    ),
    *(
        _rewritten("map_and_batch_fusion", _batch(2, (), 0, mapped.made).made, elements, cardinality)
        for mapped, elements, cardinality in zip(
            (list(_maps("MapDataset"))[i] for i in (0, 2)),
            (([1, 2], [5, 10]), (InvalidArgumentError, [5])),
            (2, 2),
            strict=True,
        )
    ),
    DatasetRow(Node("ModelDataset", (number_range(3),)), (0, 1, 2), 3),
]
