"""Rows of ops that move, select and describe elements."""

import numpy as np
from op_table import ANY, Row, numpy_type

SAME = (((),), ((0,),), ((3, 0, 2),), ((5, 7),))


def _i(*values, dtype=np.int32):
    """A constant index input."""
    return np.array(values[0] if len(values) == 1 else values, dtype)


def _row(op, ref, shapes, fixed=None, attrs=None, **options):
    return Row(op, ref, shapes=shapes, fixed=fixed or {}, attrs=attrs or {}, **options)


def _matrix_diag(x):
    out = np.zeros((*x.shape, x.shape[-1]), x.dtype)
    index = np.arange(x.shape[-1])
    out[..., index, index] = x
    return out


def _matrix_set_diag(x, diagonal):
    out = x.copy()
    index = np.arange(min(x.shape[-2:]))
    out[..., index, index] = diagonal
    return out


def _band(x, lower, upper):
    i, j = np.ogrid[: x.shape[-2], : x.shape[-1]]
    keep = ((lower < 0) | (i - j <= lower)) & ((upper < 0) | (j - i <= upper))
    return np.where(keep, x, np.zeros((), x.dtype))


def _diag(x):
    return np.diag(x.reshape(-1)).reshape(x.shape + x.shape)


def _diag_part(x):
    half = x.shape[: x.ndim // 2]
    return np.diag(x.reshape(int(np.prod(half)), -1)).reshape(half)


def _space_to_batch(x, block, paddings):
    x = np.pad(x, [(0, 0), *map(tuple, paddings), *[(0, 0)] * (x.ndim - 1 - len(block))])
    n, rest = x.shape[0], x.shape[1 + len(block) :]
    split = [d for size, b in zip(x.shape[1:], block, strict=False) for d in (size // b, b)]
    m = len(block)
    order = (
        [2 * i + 2 for i in range(m)]
        + [0]
        + [2 * i + 1 for i in range(m)]
        + list(range(2 * m + 1, 2 * m + 1 + len(rest)))
    )
    y = x.reshape(n, *split, *rest).transpose(order)
    return y.reshape(n * int(np.prod(block)), *split[::2], *rest)


def _batch_to_space(x, block, crops):
    m, rest = len(block), x.shape[1 + len(block) :]
    n = x.shape[0] // int(np.prod(block))
    y = x.reshape(*block, n, *x.shape[1 : 1 + m], *rest)
    order = [m] + [v for i in range(m) for v in (m + 1 + i, i)] + list(range(2 * m + 1, y.ndim))
    y = y.transpose(order).reshape(n, *(s * b for s, b in zip(x.shape[1:], block, strict=False)), *rest)
    inner = tuple(slice(a, y.shape[i + 1] - b) for i, (a, b) in enumerate(crops))
    return y[(slice(None), *inner)]


def _space_to_depth(x, block_size, data_format="NHWC"):
    x = x if data_format == "NHWC" else x.transpose(0, 2, 3, 1)
    n, h, w, c = x.shape
    b = block_size
    y = x.reshape(n, h // b, b, w // b, b, c).transpose(0, 1, 3, 2, 4, 5).reshape(n, h // b, w // b, b * b * c)
    return y if data_format == "NHWC" else y.transpose(0, 3, 1, 2)


def _depth_to_space(x, block_size, data_format="NHWC"):
    x = x if data_format == "NHWC" else x.transpose(0, 2, 3, 1)
    n, h, w, c = x.shape
    b = block_size
    y = x.reshape(n, h, w, b, b, c // (b * b)).transpose(0, 1, 3, 2, 4, 5).reshape(n, h * b, w * b, c // (b * b))
    return y if data_format == "NHWC" else y.transpose(0, 3, 1, 2)


def _reverse_sequence(x, lengths, seq_dim, batch_dim=0):
    y = np.moveaxis(x.copy(), (batch_dim, seq_dim), (0, 1))
    for row, n in zip(y, lengths, strict=True):
        row[:n] = row[:n][::-1].copy()
    return np.moveaxis(y, (0, 1), (batch_dim, seq_dim))


def _one_hot(indices, depth, on, off, axis=-1):
    hit = np.arange(int(depth)) == indices[..., None]
    return np.moveaxis(np.where(hit, on, off), -1, axis)


def _unique(x, counts=False):
    _, first, inverse = np.unique(x, return_index=True, return_inverse=True)
    order = np.argsort(first)
    values = x[np.sort(first)]
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    found = place[inverse.reshape(-1)].astype(np.int32)
    return (values, found, np.bincount(found, minlength=values.size).astype(np.int32)) if counts else (values, found)


def _scatter_nd(indices, updates, shape):
    out = np.zeros(tuple(shape), updates.dtype)
    np.add.at(out, tuple(np.moveaxis(indices, -1, 0)), updates)
    return out


def _scattered(update):
    def run(x, indices, updates):
        out = x.copy()
        update(out, tuple(np.moveaxis(indices, -1, 0)), updates)
        return out

    return run


def _assign_at(out, index, updates):
    out[index] = updates


def _stitch(indices, data):
    size = max((int(np.max(i)) for i in indices if np.size(i)), default=-1) + 1
    out = np.zeros((size, *data[0].shape[np.ndim(indices[0]) :]), data[0].dtype)
    for index, values in zip(indices, data, strict=True):
        flat = np.reshape(index, -1)
        out[flat] = values.reshape(flat.size, *out.shape[1:])
    return out


def _strided(x, begin, end, strides, **masks):
    spec = []
    for i, (b, e, s) in enumerate(zip(begin, end, strides, strict=True)):
        if masks.get("ellipsis_mask", 0) >> i & 1:
            spec.append(...)
        elif masks.get("new_axis_mask", 0) >> i & 1:
            spec.append(None)
        elif masks.get("shrink_axis_mask", 0) >> i & 1:
            spec.append(b)
        else:
            begin_given = not masks.get("begin_mask", 0) >> i & 1
            end_given = not masks.get("end_mask", 0) >> i & 1
            spec.append(slice(b if begin_given else None, e if end_given else None, s))
    return x[tuple(spec)]


def _strided_grad(shape, begin, end, strides, dy, **masks):
    out = np.zeros(shape, dy.dtype)
    _strided(out, begin, end, strides, **masks)[...] = dy
    return out


def _mirror_grad(dy, paddings, mode):
    shape = [size - sum(p) for size, p in zip(dy.shape, paddings, strict=True)]
    source = np.pad(np.arange(int(np.prod(shape))).reshape(shape), paddings, mode=mode.lower())
    out = np.zeros(int(np.prod(shape)), dy.dtype)
    np.add.at(out, source.reshape(-1), dy.reshape(-1))
    return out.reshape(shape)


def _bytes_of(kind):
    def run(x, type):
        flat = np.ascontiguousarray(np.reshape(x, -1).astype(numpy_type(kind))).view(np.uint8)
        size = numpy_type(kind).itemsize
        return flat.reshape(*x.shape, size) if size > 1 else flat.reshape(x.shape)

    return run


PAD = _i([[1, 2], [0, 1]])

ROWS = [
    *(_row(op, lambda x: x, SAME) for op in ("Identity", "Snapshot", "StopGradient")),
    # The gradient of PreventGradient raises an error on purpose.
    _row("PreventGradient", lambda x, message: x, SAME, attrs={"message": "no"}, grad=False),
    _row("EnsureShape", lambda x, shape: x, (((3, 4),),), attrs={"shape": [3, None]}),
    _row("CheckNumerics", lambda x, message: x, SAME, attrs={"message": "m"}),
    _row("PlaceholderWithDefault", lambda x, shape: x, SAME, attrs={"shape": None}, dynamic=True),
    _row("IdentityN", lambda xs: tuple(xs), (([(2,), (3, 4)],), ([()],)), dtypes=ANY),
    _row("ZerosLike", np.zeros_like, SAME),
    _row("OnesLike", np.ones_like, SAME),
    _row("Shape", lambda x, **a: np.array(x.shape), SAME),
    _row("Shape", lambda x, **a: np.array(x.shape), SAME, attrs={"out_type": np.int64}, dtypes=("float32",)),
    _row("ShapeN", lambda xs: tuple(np.array(x.shape) for x in xs), (([(2, 3), (), (0,)],),)),
    _row("Size", lambda x: np.array(x.size), SAME),
    _row("Rank", lambda x: np.array(x.ndim), SAME),
    *(_row("Fill", lambda d, v: np.full(d, v), (((), ()),), {0: _i(dims)}) for dims in ([2, 3], [0, 3])),
    _row("Fill", lambda d, v: np.full(d, v), (((), ()),), {0: _i([], dtype=np.int64)}),
    *(
        _row("Reshape", lambda x, s: x.reshape(s), (((2, 6), ()),), {1: _i(to, dtype=kind)})
        for to, kind in (([3, 4], np.int32), ([-1], np.int64), ([1, 12, 1], np.int32))
    ),
    _row("Reshape", lambda x, s: x.reshape(s), (((1, 1), ()), ((), ())), {1: _i([])}),
    _row("Reshape", lambda x, s: x.reshape(s), (((0, 4), ()),), {1: _i([2, 0, 3])}),
    *(_row("ExpandDims", lambda x, d: np.expand_dims(x, int(d)), (((2, 3), ()),), {1: _i(d)}) for d in (0, 1, -1)),
    _row("Squeeze", np.squeeze, (((1, 3, 1),), ((1,),), ((2, 3),))),
    _row("Squeeze", lambda x, squeeze_dims: np.squeeze(x, -1), (((1, 3, 1),),), attrs={"squeeze_dims": [-1]}),
    *(
        _row("Transpose", lambda x, p: x.transpose(p), ((shape, ()),), {1: _i(perm, dtype=kind)})
        for shape, perm, kind in (
            ((3, 5), [1, 0], np.int32),
            ((2, 3, 4), [2, 0, 1], np.int64),
            ((2, 1, 3, 2), [0, 2, 3, 1], np.int32),
            ((0, 3), [1, 0], np.int32),
            ((), [], np.int32),
        )
    ),
    _row("ConjugateTranspose", lambda x, p: np.conj(x.transpose(p)), (((3, 5), ()),), {1: _i([1, 0])}),
    *(
        _row(
            "ConcatV2",
            lambda xs, a: np.concatenate(xs, int(a)),
            (([(2, 3), (2, 0), (2, 4)], ()),),
            {1: _i(axis, dtype=kind)},
        )
        for axis, kind in ((1, np.int32), (-1, np.int64))
    ),
    _row(
        "ConcatV2", lambda xs, a: np.concatenate(xs, int(a)), (([(3,), (5,)], ()), ([(1, 2), (3, 2)], ())), {1: _i(0)}
    ),
    _row("Concat", lambda a, xs: np.concatenate(xs, int(a)), (((), [(2, 3), (1, 3)]),), {0: _i(0)}),
    _row(
        "ConcatOffset",
        lambda d, s: (np.array([0, 0]), np.array([0, 3])),
        (((), [(2,), (2,)]),),
        {0: _i(1), 1: [_i([2, 3]), _i([2, 5])]},
    ),
    *(
        _row("Pack", lambda xs, axis: np.stack(xs, axis), (([(2, 3)] * 3,), ([(0,)] * 2,)), attrs={"axis": a})
        for a in (0, -1)
    ),
    *(
        _row("Unpack", lambda x, num, axis: tuple(np.moveaxis(x, axis, 0)), (shapes,), attrs={"num": n, "axis": axis})
        for shapes, n, axis in ((((3, 4),), 3, 0), (((3, 4),), 4, -1), (((2, 0),), 2, 0))
    ),
    _row("Split", lambda a, x, num_split: tuple(np.split(x, 3, int(a))), (((), (6, 2)),), {0: _i(0)}, {"num_split": 3}),
    _row(
        "Split", lambda a, x, num_split: tuple(np.split(x, 2, int(a))), (((), (3, 4)),), {0: _i(-1)}, {"num_split": 2}
    ),
    _row(
        "SplitV",
        lambda x, sizes, a, num_split: (x[:1], x[1:1], x[1:]),
        (((6, 2), (), ()),),
        {1: _i([1, 0, -1]), 2: _i(0)},
        {"num_split": 3},
    ),
    _row("Slice", lambda x, b, s: x[1:3, 2:], (((4, 5), (), ()),), {1: _i([1, 2]), 2: _i([2, -1])}),
    _row(
        "Slice",
        lambda x, b, s: x[2:, 0:0],
        (((4, 5), (), ()),),
        {1: _i([2, 0], dtype=np.int64), 2: _i([-1, 0], dtype=np.int64)},
    ),
    *(
        _row("StridedSlice", _strided, (((5, 4, 3), (), (), ()),), {1: _i(b), 2: _i(e), 3: _i(s)}, masks)
        for b, e, s, masks in (
            ([1], [4], [2], {}),
            ([-1, 0], [0, 3], [-1, 1], {"begin_mask": 1, "end_mask": 1}),
            ([0, 2], [0, 3], [1, 1], {"ellipsis_mask": 1, "shrink_axis_mask": 2}),
            ([0, 0, 1], [0, 5, 2], [1, 1, 1], {"new_axis_mask": 1}),
            ([4, 3, 0], [0, 0, 0], [-2, -1, 1], {}),
        )
    ),
    _row(
        "StridedSliceGrad",
        _strided_grad,
        (((), (), (), (), (2, 4)),),
        {0: _i([5, 4]), 1: _i([1]), 2: _i([5]), 3: _i([2])},
    ),
    *(_row("Tile", lambda x, m: np.tile(x, m), (((2, 3), ()),), {1: _i(m)}) for m in ([2, 1], [1, 3], [0, 2])),
    _row("Tile", lambda x, m: np.tile(x, m), (((), ()),), {1: _i([])}),
    *(
        _row("BroadcastTo", lambda x, s: np.broadcast_to(x, s), ((shape, ()),), {1: _i(to)})
        for shape, to in (((3, 1), [3, 4]), ((), [2, 2]), ((4,), [3, 4]), ((1, 3), [0, 3]))
    ),
    _row("Pad", lambda x, p: np.pad(x, p), (((2, 3), ()), ((0, 3), ())), {1: PAD}),
    _row("PadV2", lambda x, p, c: np.pad(x, p, constant_values=c), (((2, 3), (), ()),), {1: PAD}, grad_inputs=(0,)),
    *(
        _row("MirrorPad", lambda x, p, mode, m=m: np.pad(x, p, mode=m.lower()), (((3, 4), ()),), {1: PAD}, {"mode": m})
        for m in ("REFLECT", "SYMMETRIC")
    ),
    *(
        _row("MirrorPadGrad", _mirror_grad, (((6, 5), ()),), {1: PAD}, {"mode": m}, tol=4)
        for m in ("REFLECT", "SYMMETRIC")
    ),
    *(_row("ReverseV2", lambda x, a: np.flip(x, tuple(a)), (((2, 3, 4), ()),), {1: _i(a)}) for a in ([0], [2, -2], [])),
    _row("ReverseSequence", _reverse_sequence, (((3, 4, 2), ()),), {1: _i([0, 4, 2], dtype=np.int64)}, {"seq_dim": 1}),
    _row("ReverseSequence", _reverse_sequence, (((4, 3), ()),), {1: _i([1, 4, 3])}, {"seq_dim": 0, "batch_dim": 1}),
    _row("Roll", lambda x, s, a: np.roll(x, tuple(s), tuple(a)), (((4, 5), (), ()),), {1: _i([1, -7]), 2: _i([0, 1])}),
    _row("GatherV2", lambda p, i, a: np.take(p, i, int(a)), (((5, 4), (), ()),), {1: _i([[4, 0], [1, 1]]), 2: _i(0)}),
    _row(
        "GatherV2",
        lambda p, i, a: np.take(p, i, int(a)),
        (((5, 4), (), ()),),
        {1: _i([3, 0, 3], dtype=np.int64), 2: _i(-1)},
    ),
    _row("GatherV2", lambda p, i, a: np.take(p, i, int(a)), (((5, 4), (), ()),), {1: _i(2), 2: _i(0)}),
    _row("GatherV2", lambda p, i, a: np.take(p, i, int(a)), (((5, 4), (), ()),), {1: _i([]), 2: _i(0)}),
    _row("Gather", lambda p, i: p[i], (((5, 4), ()),), {1: _i([[4, 0], [1, 1]])}),
    _row("GatherNd", lambda p, i: p[tuple(np.moveaxis(i, -1, 0))], (((3, 4, 2), ()),), {1: _i([[0, 1], [2, 3]])}),
    _row(
        "GatherNd",
        lambda p, i: p[tuple(np.moveaxis(i, -1, 0))],
        (((3, 4), ()),),
        {1: _i([[[0, 1]], [[2, 2]]], dtype=np.int64)},
    ),
    _row("ScatterNd", _scatter_nd, (((), (3, 2), ()),), {0: _i([[0], [4], [0]]), 2: _i([5, 2])}),
    _row("ScatterNd", _scatter_nd, (((), (2,), ()),), {0: _i([[0, 1], [2, 0]]), 2: _i([3, 2])}),
    *(
        _row(op, _scattered(f), (((5, 2), (), (3, 2)),), {1: _i([[0], [4], [2]])})
        for op, f in (
            ("TensorScatterAdd", np.add.at),
            ("TensorScatterSub", np.subtract.at),
            ("TensorScatterUpdate", _assign_at),
        )
    ),
    *(
        _row("OneHot", _one_hot, (((), (), (), ()),), {0: _i([[0, 2], [out, 5]], dtype=kind), 1: _i(3)}, {"axis": axis})
        for kind, out, axis in ((np.int32, -1, -1), (np.int64, -1, 0), (np.uint8, 7, 1))
    ),
    _row("Diag", _diag, (((3,),), ((2, 3),), ((0,),))),
    _row("DiagPart", _diag_part, (((3, 3),), ((2, 3, 2, 3),))),
    _row("MatrixDiag", _matrix_diag, (((3,),), ((2, 4),), ((0, 2),))),
    _row("MatrixDiagPart", lambda x: np.diagonal(x, axis1=-2, axis2=-1), (((3, 3),), ((2, 3, 4),), ((2, 4, 3),))),
    _row("MatrixSetDiag", _matrix_set_diag, (((3, 3), (3,)), ((2, 3, 4), (2, 3)), ((2, 4, 3), (2, 3)))),
    *(
        _row("MatrixBandPart", _band, (((4, 5), (), ()), ((2, 3, 3), (), ())), {1: _i(lo, dtype=k), 2: _i(up, dtype=k)})
        for lo, up, k in ((1, 0, np.int64), (-1, 1, np.int32), (0, -1, np.int64))
    ),
    _row(
        "SpaceToBatchND",
        _space_to_batch,
        (((2, 3, 4, 2), (), ()),),
        {1: _i([2, 2]), 2: _i([[1, 0], [0, 0]])},
        sized=(1,),
    ),
    _row(
        "BatchToSpaceND",
        _batch_to_space,
        (((8, 2, 2, 1), (), ()),),
        {1: _i([2, 2]), 2: _i([[1, 0], [0, 1]])},
        sized=(1,),
    ),
    _row("SpaceToDepth", _space_to_depth, (((2, 4, 6, 3),), ((1, 2, 2, 1),)), attrs={"block_size": 2}),
    _row("DepthToSpace", _depth_to_space, (((2, 2, 3, 8),), ((1, 1, 1, 4),)), attrs={"block_size": 2}),
    _row("InvertPermutation", np.argsort, (((),),), {0: _i([2, 0, 1, 3])}, dtypes=("int32",)),
    _row("InvertPermutation", np.argsort, (((),),), {0: _i([1, 0], dtype=np.int64)}, dtypes=("int64",)),
    _row("Where", lambda x: np.argwhere(x), (((4,),), ((3, 4),), ((0, 2),)), domain=(-1, 1), dynamic=True),
    _row("Unique", _unique, (((9,),), ((0,),)), domain=(0, 4), dynamic=True),
    _row("UniqueWithCounts", lambda x: _unique(x, True), (((9,),),), domain=(0, 4), dynamic=True),
    _row("UniqueV2", lambda x, a: _unique(x), (((9,), ()),), {1: _i([0])}, domain=(0, 4), dynamic=True),
    _row("UniqueWithCountsV2", lambda x, a: _unique(x, True), (((9,), ()),), {1: _i([0])}, domain=(0, 4), dynamic=True),
    _row(
        "ListDiff",
        lambda x, y: (x[~np.isin(x, y)], np.flatnonzero(~np.isin(x, y)).astype(np.int32)),
        (((9,), (3,)),),
        domain=(0, 5),
        dynamic=True,
    ),
    _row(
        "DynamicPartition",
        lambda x, p, num_partitions: tuple(x[p == i] for i in range(3)),
        (((5, 2), ()), ((5,), ())),
        {1: _i([0, 2, 0, 0, 2])},
        {"num_partitions": 3},
        dynamic=True,
    ),
    *(
        _row(op, _stitch, (((), [(2, 2), (3, 2)]),), {0: [_i([0, 3]), _i([1, 4, 2])]})
        for op in ("DynamicStitch", "ParallelDynamicStitch")
    ),
    _row("BroadcastArgs", lambda a, b: np.array([4, 2, 3]), (((), ()),), {0: _i([2, 1]), 1: _i([4, 1, 3])}),
    _row(
        "BroadcastGradientArgs",
        lambda a, b: (np.array([0, 2]), np.array([1])),
        (((), ()),),
        {0: _i([2, 1]), 1: _i([4, 1, 3])},
        dynamic=True,
    ),
    *(
        _row("Bitcast", _bytes_of(kind), SAME, dtypes=(kind,), attrs={"type": np.uint8}, grad=False)
        for kind in ANY
        if kind != "bool"
    ),
    _row("Bitcast", lambda x, type: x.view(np.float32), SAME, dtypes=("int32",), attrs={"type": np.float32}),
]
