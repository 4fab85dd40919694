"""Rows of datasets whose stages call functions: in parallel, in turn, in groups, with states."""

import numpy as np
from data_nodes import (
    ELEMENTS,
    F32,
    I64,
    PAIR,
    PAIRS,
    TEXT,
    UNKNOWN,
    failing,
    function_row,
    mapped,
    number_range,
    range_to,
    text,
)
from data_table import DatasetRow, Function, Node, node

from tinytf._src import protos
from tinytf._src.framework.errors.errors import InvalidArgumentError
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.values import dtypes

_KEEPS = {"preserve_cardinality": True}
_FAILING = mapped(number_range(4), failing)  # -3, an error, 5, 3
_NUMBERS = {"output_types": [I64], "output_shapes": [None]}


def _square(x):
    return x * x


def _calls(calls, **attrs):
    """The row of a parallel map with so many calls."""
    return function_row(
        "ParallelMapDataset",
        number_range(5),
        [],
        _square,
        (I64,),
        (0, 1, 4, 9, 16),
        5,
        options=[np.int32(calls)],
        attrs=attrs,
    )


def _maps():
    op = "ParallelMapDataset"
    for calls in (1, 3, -1):
        yield _calls(calls)
    yield function_row(
        op, PAIRS, [text(b"+")], lambda x, s, c: (node("StringJoin", [s, c]), x), (*PAIR, TEXT),
        tuple((s + b"+", x) for x, s in ELEMENTS), 3, PAIR[::-1], options=[np.int32(2)],
    )  # fmt: skip
    yield function_row(
        op,
        number_range(4),
        [],
        failing,
        (I64,),
        (-3, InvalidArgumentError, 5, 3),
        4,
        options=[np.int32(2)],
        attrs=_KEEPS,
    )
    sloppy = _calls(2, sloppy=True)
    yield DatasetRow(sloppy.made, sloppy.elements, 5, ordered=False)


def _map_and_batch(size, calls, drops, elements, cardinality, made=None, function=_square, **more):
    options = [*np.int64([size, calls]), np.array(drops)]
    return function_row(
        "MapAndBatchDataset", made or number_range(5), [], function, (I64,), elements, cardinality, options=options,
        other_names=("ExperimentalMapAndBatchDataset",), **more,
    )  # fmt: skip


def _twice(x):
    """The dataset of x and x."""
    of = {"output_shapes": [None]}
    return node("TensorSliceDataset", [node("Pack", [x, x])], **of)


_IN_TURN = (0, 1, 0, 1, 2, 3, 2, 3, 4, 4)  # two datasets at a time, one element of each
_IN_BLOCKS = (0, 0, 1, 1, 2, 2, 3, 3, 4, 4)


def _interleave(op, cycle, block, elements, options=(), made=None, function=_twice, **more):
    options = [*np.int64([cycle, block]), *options]
    return function_row(op, made or number_range(5), [], function, (I64,), elements, UNKNOWN, options=options, **more)


def _early(cycle, block, elements, sloppy=False, room=1, ahead=1, **more):
    op = "ParallelInterleaveDataset"
    options = [np.array(sloppy), *np.int64([room, ahead])]
    return _interleave(op, cycle, block, elements, options, other_names=(f"Experimental{op}",), **more)


def _interleaves():
    op, parallel = "InterleaveDataset", "ParallelInterleaveDatasetV2"
    yield _interleave(op, 2, 1, _IN_TURN)
    yield _interleave(op, 2, 2, _IN_BLOCKS)
    yield _interleave(op, 9, 1, (0, 1, 2, 3, 4) * 2)
    yield _interleave(op, 1, 9, (0, 0, 1, 0, 1, 2), function=range_to, made=number_range(4))
    yield _interleave(op, 2, 1, (InvalidArgumentError, 0, 0, 1, 1, 2, 2, 3, 4), function=range_to, made=_FAILING)
    for calls in (1, 2, -1):
        yield _interleave(parallel, 2, 1, _IN_TURN, [np.int64(calls)])
    yield _interleave(parallel, 9, 2, _IN_BLOCKS, [np.int64(3)])
    yield _interleave(parallel, 2, 1, _IN_TURN, [np.int64(2)], attrs={"sloppy": True}, ordered=False)
    yield _early(2, 1, _IN_TURN)
    yield _early(2, 2, _IN_BLOCKS, room=4, ahead=0)
    yield _early(2, 1, _IN_TURN, sloppy=True, ordered=False)


def _scan(made, elements, cardinality, function, state, results=(I64,), **attrs):
    """A row whose state and elements are numbers."""
    op = "ScanDataset"
    attrs = {"f": Function(function, (I64,) * 2), **attrs}
    made = Node(op, (made, [np.int64(state)], []), attrs, results)
    return DatasetRow(made, elements, cardinality, other_names=(f"Experimental{op}",))


def _take_while(made, predicate, elements, captured=()):
    op = "TakeWhileDataset"
    return function_row(
        op, made, list(captured), predicate, (I64,) * (1 + len(captured)), elements, UNKNOWN, name="predicate",
        other_names=(f"Experimental{op}",),
    )  # fmt: skip


def _number(value):
    return node("Const", dtype=I64, value=np.int64(value))


def _reducer(made, key, elements):
    """The sum of the elements of each key, ten times as large."""
    op = "GroupByReducerDataset"
    attrs = {
        "key_func": Function(key, (I64,)),
        "init_func": Function(lambda key, start: start, (I64,) * 2),
        "reduce_func": Function(lambda state, x: state + x, (I64,) * 2),
        "finalize_func": Function(lambda state: state * 10, (I64,)),
    }
    made = Node(op, (made, [], [np.int64(0)], [], []), attrs)
    return DatasetRow(made, elements, UNKNOWN, other_names=(f"Experimental{op}",))


def _by_window(made, key, size, elements):
    """The batches of elements of each key."""
    op = "GroupByWindowDataset"
    attrs = {
        "key_func": Function(key, (I64,)),
        "reduce_func": Function(lambda key, window: node("BatchDataset", window, 9, **_NUMBERS), (I64, dtypes.variant)),
        "window_size_func": Function(lambda key: key + size, (I64,)),
    }
    made = Node(op, (made, [], [], []), attrs)
    return DatasetRow(made, elements, UNKNOWN, other_names=(f"Experimental{op}",))


def _started(end):
    """The handle of a new iterator of numbers below `end`."""
    handle, _ = node("AnonymousIteratorV2", **_NUMBERS)
    with control_dependencies([node("MakeIterator", range_to(end), handle)]):
        return node("Identity", handle)


def _generator(elements, following):
    """The elements that `following` makes of an iterator of 0, 1, 2."""
    attrs = {
        "init_func": Function(_started, (I64,)),
        "next_func": Function(following, (dtypes.resource,)),
        "finalize_func": Function(lambda handle: _number(0), (dtypes.resource,)),
    }
    return DatasetRow(Node("GeneratorDataset", ([np.int64(3)], [], []), attrs), elements, UNKNOWN)


def _following(handle):
    return node("IteratorGetNext", handle, **_NUMBERS)[0]


def _example(**features):
    kinds = {int: "int64_list", float: "float_list", bytes: "bytes_list"}
    made = protos.Example()
    for name, values in features.items():
        getattr(made.features.feature[name], kinds[type(values[0])]).value.extend(values)
    return made.SerializeToString()


_EXAMPLES = np.array([[_example(a=[1], b=[1.0, 2.0]), _example(a=[2])], [_example(b=[3.0, 4.0], c=[b"x"])] * 2], object)
_DENSE = {
    "sparse_keys": [], "dense_keys": ["a", "b"], "sparse_types": [], "Tdense": [I64, F32], "dense_shapes": [[], [2]],
}  # fmt: skip
_SPARSE = {"sparse_keys": ["a"], "dense_keys": [], "sparse_types": [I64], "Tdense": [], "dense_shapes": []}


def _parsed(examples, defaults, attrs, types):
    rows = Node("TensorSliceDataset", ([examples],), types=(TEXT,))
    return Node("ParseExampleDataset", (rows, np.int64(2), defaults), attrs, types)


def _parts(stored):
    return node("DeserializeSparse", stored, dtype=I64)


_PARSE = {"other_names": ("ExperimentalParseExampleDataset",)}

ROWS = [
    *_maps(),
    _map_and_batch(2, 1, False, ([0, 1], [4, 9], [16]), 3),
    _map_and_batch(2, 3, True, ([0, 1], [4, 9]), 2, attrs=_KEEPS),
    _map_and_batch(9, -1, False, ([0, 1, 4, 9, 16],), 1, attrs=_KEEPS),
    _map_and_batch(2, 2, False, (InvalidArgumentError, [5, 3]), 2, made=number_range(4), function=failing, attrs=_KEEPS),
    *_interleaves(),
    _scan(number_range(5), (0, 1, 3, 6, 10), 5, lambda sum, x: (sum + x, sum + x), 0),
    _scan(number_range(3), ((7, 0), (0, 1), (1, 2)), 3, lambda last, x: (x, last, x), 7, (I64, I64)),
    _scan(number_range(4), (-3, InvalidArgumentError, 5, 3), 4, lambda sum, x: (sum, failing(x)), 0, **_KEEPS),
    _take_while(number_range(9), lambda x, end: node("Less", x, end), (0, 1, 2), [np.int64(3)]),
    _take_while(mapped(number_range(3), failing), lambda x: node("Less", x, 4), (-3, InvalidArgumentError)),
    _reducer(number_range(5), lambda x: x % 2, (60, 40)),
    _reducer(number_range(0), lambda x: x % 2, ()),
    _by_window(number_range(7), lambda x: x % 2, 1, ([0], [2], [1, 3], [4], [6], [5])),
    _by_window(number_range(3), lambda x: x, 9, ([0], [1], [2])),
    _generator((0, 1, 2), _following),
    _generator((-3, InvalidArgumentError, 5), lambda handle: failing(_following(handle))),
    DatasetRow(
        _parsed(_EXAMPLES, [np.int64(9), np.float32([8, 8])], _DENSE, (I64, F32)),
        (([1, 2], [[1, 2], [8, 8]]), ([9, 9], [[3, 4], [3, 4]])),
        2,
        **_PARSE,
    ),
    DatasetRow(
        Node(
            "MapDataset",
            (_parsed(_EXAMPLES, [], _SPARSE, (dtypes.variant,)), []),
            {"f": Function(_parts, (dtypes.variant,))},
            (I64,) * 3,
        ),
        (([[0, 0], [1, 0]], [1, 2], [2, 1]), ([], [], [2, 0])),
        2,
        about="ParseExampleDataset",
        **_PARSE,
    ),
    DatasetRow(
        _parsed(np.array([[b"\xff"]], object), [np.int64(9), np.float32([8, 8])], _DENSE, (I64, F32)),
        (InvalidArgumentError,),
        1,
    ),
]  # fmt: skip
