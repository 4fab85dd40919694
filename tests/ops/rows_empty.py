"""Rows with empty tensors: no rows, no parts, no indices, dimensions of size 0 beside others."""

import numpy as np
from op_table import Row

KINDS = ("float32", "int32", "complex64")


def _i(values, dtype=np.int32):
    return np.array(values, dtype)


def _row(op, ref, shapes, fixed=None, attrs=None, dtypes=KINDS, **options):
    return Row(op, ref, shapes=shapes, fixed=fixed or {}, attrs=attrs or {}, dtypes=dtypes, **options)


def _zeros(*shape):
    return lambda x, *rest, **attrs: np.zeros(shape, x.dtype)


def _ids(*values):
    return {1: _i(values)}


ROWS = [
    # Splitting and joining.
    _row("ConcatV2", lambda xs, a: np.concatenate(xs, 1), (([(2, 0), (2, 0)], ()), ([(0, 2), (0, 1)], ())), {1: _i(1)}),
    _row("Pack", lambda xs, axis: np.stack(xs, axis), (([(0, 2)],), ([(0, 2)] * 2,)), attrs={"axis": 1}),
    _row("Unpack", lambda x, num, axis: tuple(np.moveaxis(x, 1, 0)), (((0, 2),),), attrs={"num": 2, "axis": 1}),
    _row(
        "Split",
        lambda a, x, num_split: tuple(np.split(x, 2, 1)),
        (((), (0, 4)), ((), (3, 0))),
        {0: _i(1)},
        {"num_split": 2},
    ),
    _row("Split", lambda a, x, num_split: (x,), (((), (0,)),), {0: _i(0)}, {"num_split": 1}),
    _row(
        "SplitV",
        lambda x, sizes, a, num_split: (x, x[:0], x[:0]),
        (((0, 2), (), ()),),
        {1: _i([0, -1, 0]), 2: _i(0)},
        {"num_split": 3},
    ),
    _row("Slice", lambda x, b, s: x[2:, 1:1], (((2, 3), (), ()), ((2, 0), (), ())), {1: _i([2, 0]), 2: _i([0, 0])}),
    _row(
        "StridedSlice",
        lambda x, b, e, s: x[1:1],
        (((2, 3), (), (), ()), ((1, 0), (), (), ())),
        {1: _i([1]), 2: _i([1]), 3: _i([1])},
    ),
    _row("StridedSlice", lambda x, b, e, s: x[5:2:-1], (((0, 3), (), (), ()),), {1: _i([5]), 2: _i([2]), 3: _i([-1])}),
    _row(
        "StridedSliceGrad",
        lambda n, b, e, s, dy: np.zeros((3, 2), dy.dtype),
        (((), (), (), (), (0, 2)),),
        {0: _i([3, 2]), 1: _i([1]), 2: _i([1]), 3: _i([1])},
    ),
    _row("Tile", lambda x, m: np.tile(x, m), (((0, 3), ()), ((2, 3), ())), {1: _i([3, 0])}),
    _row("BroadcastTo", lambda x, s: np.broadcast_to(x, s), (((0, 1), ()), ((1,), ())), {1: _i([2, 0, 4])}),
    _row("Pad", lambda x, p: np.pad(x, p), (((0, 0), ()), ((0, 2), ())), {1: _i([[0, 0], [2, 1]])}),
    _row("Pad", lambda x, p: x, (((), ()),), {1: np.zeros((0, 2), np.int32)}),
    _row(
        "MirrorPad",
        lambda x, p, mode: np.pad(x, p, mode="symmetric"),
        (((0, 2), ()),),
        {1: _i([[0, 0], [2, 1]])},
        {"mode": "SYMMETRIC"},
    ),
    _row("ReverseV2", lambda x, a: x, (((0, 3), ()), ((2, 0), ())), {1: _i([0, 1])}),
    _row("ReverseSequence", lambda x, n, seq_dim: x, (((0, 3), ()),), {1: _i([])}, {"seq_dim": 1}),
    _row("ReverseSequence", lambda x, n, seq_dim: x, (((2, 0), ()),), {1: _i([0, 0])}, {"seq_dim": 1}),
    _row("Roll", lambda x, s, a: x, (((0, 3), (), ()), ((2, 0), (), ())), {1: _i([5, -2]), 2: _i([0, 1])}),
    _row("Roll", lambda x, s, a: x, (((3,), (), ()),), {1: _i([]), 2: _i([])}),
    _row("Transpose", lambda x, p: x.transpose(p), (((2, 0, 3), ()),), {1: _i([2, 1, 0])}),
    _row("SpaceToBatchND", _zeros(0, 1, 2), (((0, 2, 2), (), ()),), {1: _i([2]), 2: _i([[0, 0]])}, sized=(1,)),
    _row("SpaceToBatchND", _zeros(2, 1, 1), (((1, 0, 1), (), ()),), {1: _i([2]), 2: _i([[1, 1]])}, sized=(1,)),
    _row("BatchToSpaceND", _zeros(0, 4, 2), (((0, 2, 2), (), ()),), {1: _i([2]), 2: _i([[0, 0]])}, sized=(1,)),
    _row("BatchToSpaceND", _zeros(1, 0, 2), (((2, 1, 2), (), ()),), {1: _i([2]), 2: _i([[1, 1]])}, sized=(1,)),
    _row("SpaceToDepth", _zeros(0, 1, 2, 12), (((0, 2, 4, 3),),), attrs={"block_size": 2}),
    _row("DepthToSpace", _zeros(1, 0, 4, 1), (((1, 0, 2, 4),),), attrs={"block_size": 2}),
    # Indices.
    _row(
        "GatherV2",
        lambda p, i, a: np.take(p, i, 1),
        (((2, 3), (), ()), ((0, 3), (), ()), ((2, 0), (), ())),
        {1: _i(np.zeros((0, 2))), 2: _i(1)},
    ),
    _row(
        "GatherNd",
        lambda p, i: np.zeros((0, 3), p.dtype),
        (((2, 3), ()), ((0, 3), ())),
        {1: np.zeros((0, 1), np.int32)},
    ),
    _row(
        "OneHot",
        lambda i, d, on, off, axis: np.zeros((2, 0), on.dtype),
        (((), (), (), ()),),
        {0: _i([0, 1]), 1: _i(0)},
        {"axis": -1},
    ),
    _row(
        "OneHot",
        lambda i, d, on, off, axis: np.zeros((3, 0), on.dtype),
        (((), (), (), ()),),
        {0: _i([]), 1: _i(3)},
        {"axis": 0},
    ),
    _row(
        "DynamicPartition",
        lambda x, p, num_partitions: (x, x),
        (((0, 2), ()), ((0, 0), ())),
        _ids(),
        {"num_partitions": 2},
        dynamic=True,
    ),
    _row("DynamicStitch", lambda i, x: np.zeros((0, 2), x[0].dtype), (((), [(0, 2), (0, 2)]),), {0: [_i([]), _i([])]}),
    _row(
        "DynamicStitch", lambda i, x: np.zeros((2, 0), x[0].dtype), (((), [(1, 0), (1, 0)]),), {0: [_i([0]), _i([1])]}
    ),
    _row("Diag", _zeros(2, 0, 2, 0), (((2, 0),),)),
    _row("MatrixDiag", _zeros(2, 0, 0), (((2, 0),),)),
    _row("MatrixDiagPart", _zeros(2, 0), (((2, 3, 0),), ((2, 0, 3),))),
    _row("MatrixBandPart", lambda x, lo, up: x, (((0, 3), (), ()), ((3, 0), (), ())), {1: _i(-1), 2: _i(0)}),
    _row(
        "UniqueV2",
        lambda x, a: (x, _i([])),
        (((0, 2), ()), ((0, 0), ())),
        {1: _i([0])},
        dtypes=("float32", "int32"),
        dynamic=True,
    ),
    # Reductions.
    _row("Sum", lambda x, a: x.sum(1), (((2, 0), ()), ((0, 2), ()), ((0, 0), ())), {1: _i([1])}),
    _row("Sum", lambda x, a: x.sum((0, 2)), (((0, 2, 3), ()), ((2, 0, 3), ()), ((2, 3, 0), ())), {1: _i([0, 2])}),
    _row(
        "Max",
        lambda x, a: np.zeros(0, x.dtype),
        (((0, 2), ()), ((0, 0), ())),
        {1: _i([1])},
        dtypes=("float32", "int32"),
    ),
    _row("All", lambda x, a: x.all(0), (((0, 2), ()), ((2, 0), ())), {1: _i([0])}, dtypes=("bool",)),
    _row("ArgMax", lambda x, a: np.zeros(0, np.int64), (((0, 2), ()),), {1: _i(1)}, dtypes=("float32", "int32")),
    _row("Cumsum", lambda x, a: x, (((0, 3), ()), ((2, 0), ())), {1: _i(1)}),
    _row("MatMul", lambda a, b: a @ b, (((0, 3), (3, 2)), ((2, 0), (0, 3)), ((2, 3), (3, 0)), ((0, 0), (0, 0)))),
    _row("BatchMatMulV2", lambda a, b: a @ b, (((0, 2, 3), (3, 2)), ((4, 2, 0), (1, 0, 3)), ((2, 0, 3), (2, 3, 1)))),
    # Segments and bins.
    *(
        _row(op, _zeros(0, 3), (((0, 3), ()),), _ids(), dynamic=True)
        for op in ("SegmentSum", "SegmentMean", "SegmentProd")
    ),
    _row("SegmentSum", _zeros(2, 0), (((2, 0), ()),), _ids(0, 1), dynamic=True),
    _row("UnsortedSegmentSum", _zeros(3, 2), (((0, 2), (), ()),), {**_ids(), 2: _i(3)}),
    # The gradient for negative ids gathers row 0, which does not exist.
    _row("UnsortedSegmentSum", _zeros(0, 2), (((3, 2), (), ()),), {**_ids(-1, -1, -1), 2: _i(0)}, grad=False),
    _row("UnsortedSegmentProd", _zeros(3, 0), (((2, 0), (), ()),), {**_ids(0, 2), 2: _i(3)}),
    _row(
        "SparseSegmentSum", _zeros(0, 2), (((3, 2), (), ()),), {1: _i([]), 2: _i([])}, dtypes=("float32",), dynamic=True
    ),
    _row(
        "SparseSegmentMeanWithNumSegments",
        _zeros(2, 2),
        (((3, 2), (), (), ()),),
        {1: _i([]), 2: _i([]), 3: _i(2)},
        dtypes=("float32",),
    ),
    _row(
        "SparseSegmentMeanGrad",
        _zeros(3, 2),
        (((0, 2), (), (), ()),),
        {1: _i([]), 2: _i([]), 3: _i(3)},
        dtypes=("float32",),
    ),
    _row(
        "Bincount",
        lambda a, n, w: np.zeros(int(n), w.dtype),
        (((), (), (0,)),),
        {0: _i([]), 1: _i(3)},
        dtypes=("float32",),
    ),
    _row(
        "Bincount",
        lambda a, n, w: np.zeros(0, w.dtype),
        (((), (), (2,)),),
        {0: _i([1, 4]), 1: _i(0)},
        dtypes=("float32",),
    ),
    _row(
        "HistogramFixedWidth",
        lambda v, r, n: np.zeros(3, np.int32),
        (((0,), (), ()),),
        {1: np.array([0, 1], np.float32), 2: _i(3)},
        dtypes=("float32",),
    ),
    _row(
        "Range",
        lambda a, b, c: np.zeros(0, np.int32),
        (((), (), ()),),
        {0: _i(4), 1: _i(4), 2: _i(-3)},
        dtypes=("int32",),
        grad=False,
    ),
    _row("LinSpace", lambda a, b, n: np.reshape(a, 1), (((), (), ()),), {2: _i(1)}, dtypes=("float32",), grad=False),
]
