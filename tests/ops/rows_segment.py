"""Rows of reductions over lists, segments and bins, and of ranges, casts and strings."""

import numpy as np
from op_table import ANY, FLOATS, Row, numpy_type

from tinytf._src.framework.values import dtypes

IDS = np.array([0, 0, 1, 2, 2], np.int32)
UNSORTED = np.array([2, 0, -1, 2, 0], np.int64)
PICK, PICKED = np.array([0, 2, 4, 1], np.int32), np.array([0, 0, 1, 1], np.int32)


def _each(function, empty):
    """Reduces the rows with each id; ids without rows get `empty`."""

    def run(x, ids, n=None):
        rows = int(n) if n is not None else int(ids.max()) + 1
        out = np.empty((rows, *x.shape[1:]), x.dtype)
        for i in range(rows):
            out[i] = function(x[ids == i], 0) if (ids == i).any() else empty(x.dtype)
        return out

    return run


def _mean(x, axis):
    return (x.sum(axis, dtype=x.dtype) // len(x)) if x.dtype.kind in "iu" else x.mean(axis)


def _sqrt_n(x, axis):
    total = x.sum(axis)
    return (total / np.sqrt(len(x))).astype(x.dtype)


def _lowest(dtype):
    return np.finfo(dtype).min if dtype.kind == "f" else np.iinfo(dtype).min


def _highest(dtype):
    return np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max


def _zero(dtype):
    return 0


def _one(dtype):
    return 1


def _sum(x, axis):
    return x.sum(axis, dtype=x.dtype)


def _prod(x, axis):
    return x.prod(axis, dtype=x.dtype)


def _sparse(function):
    return lambda x, indices, ids, n=None: _each(function, _zero)(x[indices], ids, n)


def _sparse_grad(scale):
    def run(dy, indices, ids, n):
        out = np.zeros((int(n), *dy.shape[1:]))
        counts = np.bincount(ids)
        for i, segment in zip(indices, ids, strict=True):
            out[i] += dy[segment] / scale(counts[segment])
        return out

    return run


def _cast(dst):
    kind = numpy_type(dst)

    def run(x, DstT):
        if kind.kind == "b":
            return x != 0
        return (x.real if x.dtype.kind == "c" and kind.kind != "c" else x).astype(kind)

    return run


DATA = ((5, 3), ())
ROWS = [
    *(
        Row(op, lambda xs, **a: sum(xs[1:], xs[0]), (([()] * 2,), ([(3, 4)] * 3,), ([(0,)],)), attrs=attrs, tol=4)
        for op, attrs in (("AddN", {}),)
    ),
    Row("AccumulateNV2", lambda xs, shape: sum(xs[1:], xs[0]), (([(3, 4)] * 3,),), attrs={"shape": [3, 4]}, tol=4),
    *(
        Row(op, _each(f, _zero), shapes=(DATA, ((5,), ())), fixed={1: IDS}, tol=8, dynamic=True, domain=(-2, 2))
        for op, f in (
            ("SegmentSum", _sum),
            ("SegmentMean", _mean),
            ("SegmentProd", _prod),
            ("SegmentMax", np.max),
            ("SegmentMin", np.min),
        )
        if op != "SegmentMean"
    ),
    Row(
        "SegmentMean",
        _each(_mean, _zero),
        shapes=(DATA, ((5,), ())),
        fixed={1: IDS},
        tol=8,
        dynamic=True,
        domain=(1, 9),
    ),
    *(
        Row(
            op,
            _each(f, empty),
            ((*DATA, ()),),
            dtypes=types,
            fixed={1: UNSORTED, 2: np.array(4, np.int32)},
            tol=8,
            complex_grad=op == "UnsortedSegmentSum",  # the gradient of the product does not conjugate
        )
        for op, f, empty, types in (
            ("UnsortedSegmentSum", _sum, _zero, None),
            ("UnsortedSegmentProd", _prod, _one, None),
        )
    ),
    *(
        # No segment is empty, because the lowest number differs between dtypes.
        Row(op, _each(f, empty), ((*DATA, ()),), fixed={1: np.array([2, 0, 1, 2, 0]), 2: np.array(3, np.int32)}, tol=8)
        for op, f, empty in (("UnsortedSegmentMax", np.max, _lowest), ("UnsortedSegmentMin", np.min, _highest))
    ),
    *(
        Row(
            op, _sparse(f), ((*DATA, ()),), fixed={1: PICK, 2: PICKED}, tol=8, dynamic=True, domain=(0, 3), dtypes=types
        )
        for op, f, types in (
            ("SparseSegmentSum", _sum, None),
            ("SparseSegmentMean", _mean, None),
            ("SparseSegmentSqrtN", _sqrt_n, None),
        )
    ),
    *(
        Row(
            op + "WithNumSegments",
            _sparse(f),
            ((*DATA, (), ()),),
            fixed={1: PICK, 2: PICKED, 3: np.array(3, np.int32)},
            tol=8,
            domain=(0, 3),
        )
        for op, f in (("SparseSegmentSum", _sum), ("SparseSegmentMean", _mean), ("SparseSegmentSqrtN", _sqrt_n))
    ),
    *(
        Row(
            op,
            _sparse_grad(f),
            (((2, 3), (), (), ()),),
            dtypes=FLOATS[1:],
            fixed={1: PICK, 2: PICKED, 3: np.array(6, np.int32)},
            tol=8,
        )
        for op, f in (("SparseSegmentMeanGrad", lambda n: n), ("SparseSegmentSqrtNGrad", np.sqrt))
    ),
    Row(
        "EuclideanNorm",
        lambda x, axis, **a: np.sqrt((x * np.conj(x)).sum(tuple(axis)).real).astype(x.dtype),
        (((3, 4), ()),),
        fixed={1: np.array([1], np.int32)},
        domain=(0, 5),
        tol=8,
    ),
    Row(
        "ApproximateEqual", lambda x, y, tolerance: np.abs(x - y) < tolerance, (((9,), (9,)),), attrs={"tolerance": 1.5}
    ),
    *(
        Row(
            "Bincount",
            lambda a, n, w: np.bincount(a, w if w.size else None, int(n))[: int(n)].astype(w.dtype),
            (((), (), (size,)),),
            fixed={0: np.array([1, 4, 1, 9, 0], np.int32), 1: np.array(5, np.int32)},
        )
        for size in (0, 5)
    ),
    Row(
        "Bucketize",
        lambda x, boundaries: np.digitize(x, boundaries),
        (((9,),), ((0, 2),)),
        attrs={"boundaries": [-1.0, 0.5, 2.0]},
    ),
    Row(
        "HistogramFixedWidth",
        lambda v, r, n, **a: np.bincount(
            np.clip(np.floor((v - r[0]) * 4 / (r[1] - r[0])), 0, 3).astype(int), minlength=4
        ),
        (((20,), (2,), ()),),
        fixed={1: lambda rng, shape, arrays: np.array([-2, 2]), 2: np.array(4, np.int32)},
    ),
    *(
        Row(
            "Cast",
            _cast(dst),
            (((),), ((0,),), ((3, 4),)),
            dtypes=ANY,
            domain=(0, 9),
            attrs={"DstT": dtypes.as_dtype(dst)},
            tol=2,
            grad=dst in ("float64", "complex128"),  # a finite step is lost in the other dtypes
        )
        for dst in ANY
    ),
    *(
        Row(
            "Range",
            lambda a, b, c: np.arange(a, b, c),
            (((), (), ()),),
            dtypes=(kind,),
            fixed={i: np.array(v, numpy_type(kind)) for i, v in enumerate(values)},
            grad=False,  # all inputs are fixed
        )
        for kind, values in (
            ("int32", (2, 11, 3)),
            ("int64", (5, -4, -2)),
            ("float32", (0.5, 3.0, 0.5)),
            ("float64", (1.0, 1.0, 1.0)),
            ("bfloat16", (250, 270, 1)),  # beyond 256 not every integer is representable
        )
    ),
    Row(
        "LinSpace",
        lambda a, b, n: np.linspace(a, b, int(n)),
        (((), (), ()),),
        fixed={2: np.array(7, np.int32)},
        tol=4,
    ),
    Row(
        "StringJoin",
        lambda xs, separator: xs[0] + b"-" + xs[1],
        (([(3,), (3,)],),),
        dtypes=("string",),
        attrs={"separator": "-"},
    ),
    Row("StringLower", lambda x, **a: np.array([v.lower() for v in x], object), (((4,),),), dtypes=("string",)),
    Row("StringUpper", lambda x, **a: np.array([v.upper() for v in x], object), (((4,),),), dtypes=("string",)),
    Row(
        "StringStrip",
        lambda x: np.array([v.strip() for v in x], object),
        (((),),),
        dtypes=("string",),
        fixed={0: np.array([b" a b ", b"", b"\tx"], object)},
    ),
    Row("StringLength", lambda x, **a: np.array([len(v) for v in x], np.int32), (((4,),),), dtypes=("string",)),
    Row(
        "AsString",
        lambda x, **a: np.array([str(v).lower().encode() for v in x.reshape(-1)], object).reshape(x.shape),
        (((3, 2),), ((0,),)),
        dtypes=("int8", "int16", "int32", "int64", "bool"),
    ),
    Row(
        "AsString",
        lambda x, precision: np.array([b"%.3f" % v for v in x.reshape(-1)], object).reshape(x.shape),
        (((3, 2),), ((),)),
        dtypes=("float32", "float64"),
        attrs={"precision": 3},
    ),
    Row(
        "AsString",
        lambda x, precision: np.array([b"(%.3f,%.3f)" % (v.real, v.imag) for v in x], object),
        (((4,),),),
        dtypes=("complex64", "complex128"),
        attrs={"precision": 3},
    ),
]
