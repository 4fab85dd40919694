"""Rows of the math ops."""

import numpy as np
import scipy.special as special
from op_table import BROADCAST, COMPLEXES, FLOATS, INTS, NUMBERS, REALS, SMALL_INTS, UNARY, Row

FLOAT_DOUBLE = ("float32", "float64")
NOT_HALF = (*FLOAT_DOUBLE, *COMPLEXES)
BITS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
MATRIX = (((5, 4, 6),), ((1, 1, 1),), ((0, 4, 6),), ((16, 33, 17),))


def _axis(*values):
    return np.array(values[0] if len(values) == 1 else values, np.int32)


def _sign(x):
    return np.where(x == 0, 0, x / np.abs(x)) if np.iscomplexobj(x) else np.sign(x)


def _prod(x, axis, keepdims):
    return np.prod(x, axis, dtype=x.dtype, keepdims=keepdims)


def _div_no_nan(x, y):
    return np.where(y == 0, 0, x / np.where(y == 0, 1, y))


def _truncated(x, y):
    return (np.sign(x) * np.sign(y)).astype(x.dtype) * (np.abs(x) // np.abs(y))


def _unary(op, ref, dtypes, **options):
    return Row(op, ref, dtypes=dtypes, **options)


def _binary(op, ref, dtypes, **options):
    return Row(op, ref, shapes=BROADCAST, dtypes=dtypes, **options)


def _reduction(op, ref, dtypes, axis, keep_dims=False, **options):
    def reduced(x, axes, keep_dims):
        return ref(x, axis=tuple(np.atleast_1d(axes)), keepdims=keep_dims)

    return Row(
        op,
        reduced,
        shapes=tuple((*shape, ()) for shape in MATRIX),
        dtypes=dtypes,
        fixed={1: axis},
        attrs={"keep_dims": keep_dims},
        **options,
    )


def _mean(x, axis, keepdims):
    count = np.prod([x.shape[i] for i in axis])
    total = np.sum(x, axis, dtype=x.dtype, keepdims=keepdims)
    if x.dtype.kind in "iu":  # C++ integer division
        return (np.sign(total) * (np.abs(total) // max(count, 1))).astype(x.dtype)
    return total / np.float64(count)


def _segment_sum(data, ids, segments=3):
    out = np.zeros((int(segments), *data.shape[1:]), data.dtype)
    np.add.at(out, ids[ids >= 0], data[ids >= 0])
    return out


def _igamma_grad_a(a, x):
    """The integral of the density's derivative by `a`, substituted with t = exp(s); below x or, negated, above it."""
    a, x = np.broadcast_arrays(a, x)
    low, high = np.log(x), np.log(x)
    low, high = np.where(x < a, low - (40 + x) / a, low), np.where(x < a, high, np.log(x + 60))
    nodes, weights = np.polynomial.legendre.leggauss(40)
    panels = np.arange(40)[:, None]
    at = ((panels + (nodes + 1) / 2) / 40).ravel()
    s = low[..., None] + (high - low)[..., None] * at
    a = a[..., None]
    values = np.exp(a * s - np.exp(s) - special.gammaln(a)) * (s - special.digamma(a))
    return np.where(x < np.squeeze(a, -1), 1, -1) * (high - low) * (values @ np.tile(weights, 40)) / 80


def _sample_grad(alpha, sample):
    density = np.exp((alpha - 1) * np.log(sample) - sample - special.gammaln(alpha))
    return -_igamma_grad_a(alpha, sample) / density


ALL = (*FLOATS, *COMPLEXES)
SIGNED = (*FLOATS, "bfloat16", *INTS, *COMPLEXES)

ROWS = [
    _unary("Abs", np.abs, (*FLOATS, "bfloat16", *INTS, "int8", "int16"), special=True),
    _unary("Neg", np.negative, SIGNED, special=True),
    _unary("Sign", _sign, (*ALL, "bfloat16", *INTS), complex_grad=False),  # TensorFlow's gradient is zero
    _unary("Square", np.square, SIGNED),
    _unary("Exp", np.exp, (*ALL, "bfloat16"), special=True),
    _unary("Expm1", np.expm1, (*ALL, "bfloat16")),
    _unary("Log", np.log, (*ALL, "bfloat16"), domain=(0.1, 9)),
    _unary("Log1p", np.log1p, (*ALL, "bfloat16"), domain=(-0.5, 5)),
    _unary("Sqrt", np.sqrt, (*ALL, "bfloat16"), domain=(0, 9)),
    _unary("Rsqrt", lambda x: 1 / np.sqrt(x), (*ALL, "bfloat16"), domain=(0.1, 9)),
    _unary("Reciprocal", lambda x: 1 / x, (*ALL, "bfloat16"), domain=(0.5, 9)),
    _unary("Inv", lambda x: 1 / x, (*ALL, "bfloat16"), domain=(0.5, 9)),
    _unary("Sigmoid", lambda x: 1 / (1 + np.exp(-x)), (*ALL, "bfloat16"), special=True),
    _unary("Tanh", np.tanh, (*ALL, "bfloat16"), special=True),
    _unary("Floor", np.floor, (*FLOATS, "bfloat16"), special=True),
    _unary("Ceil", np.ceil, (*FLOATS, "bfloat16"), special=True),
    _unary("Round", np.round, (*FLOATS, "bfloat16", *INTS), special=True),
    _unary("Rint", np.rint, FLOAT_DOUBLE, special=True),
    _unary("IsNan", np.isnan, (*FLOATS, "bfloat16"), special=True),
    _unary("IsInf", np.isinf, FLOATS, special=True),
    _unary("IsFinite", np.isfinite, FLOATS, special=True),
    _unary("Sin", np.sin, ALL),
    _unary("Cos", np.cos, ALL),
    _unary("Tan", np.tan, ALL, domain=(-1, 1)),
    _unary("Asin", np.arcsin, FLOAT_DOUBLE, domain=(-1, 1)),
    _unary("Acos", np.arccos, FLOAT_DOUBLE, domain=(-1, 1)),
    _unary("Atan", np.arctan, FLOAT_DOUBLE),
    _unary("Sinh", np.sinh, NOT_HALF),
    _unary("Cosh", np.cosh, NOT_HALF),
    _unary("Asinh", np.arcsinh, NOT_HALF),
    _unary("Acosh", np.arccosh, NOT_HALF, domain=(1.1, 9)),
    _unary("Atanh", np.arctanh, NOT_HALF, domain=(-0.9, 0.9)),
    _unary("Erf", special.erf, FLOATS, special=True),
    _unary("Erfc", special.erfc, FLOATS, tol=4),
    _unary("Lgamma", special.gammaln, FLOATS, domain=(0.1, 9), tol=4),
    _unary("Digamma", special.digamma, FLOATS, domain=(0.5, 9), tol=4),
    _unary("LogicalNot", np.logical_not, ("bool",)),
    _unary("Invert", np.invert, BITS),
    _unary(
        "PopulationCount",
        lambda x: np.vectorize(lambda v: bin(v).count("1"), otypes=[np.uint8])(x),
        BITS[:6],
        domain=(0, 100),
    ),
    _unary("Conj", np.conj, COMPLEXES),
    *(
        Row(op, lambda x, Tout, f=ref: f(x), dtypes=(kind,), attrs={"Tout": out})
        for kind, out in (("complex64", np.float32), ("complex128", np.float64))
        for op, ref in (("Real", np.real), ("Imag", np.imag), ("Angle", np.angle), ("ComplexAbs", np.abs))
    ),
    _binary("Add", np.add, (*FLOATS, "bfloat16", *INTS, "int8", "int16", "uint8", *COMPLEXES), special=True),
    _binary("AddV2", np.add, (*FLOATS, "bfloat16", *INTS, "int8", "int16", "uint8", *COMPLEXES)),
    _binary("Sub", np.subtract, NUMBERS),
    _binary("Mul", np.multiply, NUMBERS),
    _binary("RealDiv", np.divide, (*FLOATS, "bfloat16", *COMPLEXES), domain=(0.5, 4)),
    _binary("Div", np.divide, (*FLOATS, "bfloat16", *COMPLEXES), domain=(0.5, 4)),
    _binary("Div", _truncated, ("int16", *INTS, "uint8", "uint16"), domain=(1, 9)),
    _binary("TruncateDiv", _truncated, ("int16", *INTS, "uint8", "uint16"), domain=(1, 9)),
    _binary("DivNoNan", _div_no_nan, ALL, domain=(0.5, 4)),
    _binary("FloorDiv", np.floor_divide, (*FLOATS, *INTS, *SMALL_INTS), domain=(1, 9)),
    _binary("FloorMod", np.mod, (*FLOAT_DOUBLE, *INTS), domain=(1, 9), tol=10),
    _binary("TruncateMod", np.fmod, (*FLOAT_DOUBLE, *INTS), domain=(1, 9)),
    _binary("Mod", np.fmod, (*FLOAT_DOUBLE, *INTS), domain=(1, 9)),
    _binary("Pow", np.power, (*ALL, "bfloat16", *INTS), domain=(0.5, 3), tol=4),
    _binary("Maximum", np.maximum, (*FLOATS, "bfloat16", *INTS)),
    _binary("Minimum", np.minimum, (*FLOATS, "bfloat16", *INTS)),
    # TensorFlow's gradients of the next ops do not conjugate.
    _binary("SquaredDifference", lambda x, y: (x - y) * np.conj(x - y), (*ALL, "bfloat16", *INTS), complex_grad=False),
    _binary("MulNoNan", np.multiply, ALL, complex_grad=False),
    _binary("Xdivy", lambda x, y: np.where(x == 0, 0, x / y), ALL, domain=(0.5, 4), complex_grad=False),
    _binary("Xlogy", lambda x, y: np.where(x == 0, 0, x * np.log(y)), ALL, domain=(0.5, 4), complex_grad=False),
    _binary("Atan2", np.arctan2, FLOAT_DOUBLE),
    *(
        _binary("NextAfter", lambda x, y, k=kind: np.nextafter(x.astype(k), y.astype(k)), (kind,), grad=False)
        for kind in FLOAT_DOUBLE  # a finite step changes the next float
    ),
    *(
        _binary(op, ref, (*FLOATS, "bfloat16", *INTS, "int8", "int16", "uint8"), special=True)
        for op, ref in (
            ("Less", np.less),
            ("LessEqual", np.less_equal),
            ("Greater", np.greater),
            ("GreaterEqual", np.greater_equal),
        )
    ),
    *(
        _binary(op, ref, (*FLOATS, "bfloat16", *INTS, "int8", "int16", "uint8", "bool", *COMPLEXES))
        for op, ref in (("Equal", np.equal), ("NotEqual", np.not_equal))
    ),
    _binary("LogicalAnd", np.logical_and, ("bool",)),
    _binary("LogicalOr", np.logical_or, ("bool",)),
    _binary("BitwiseAnd", np.bitwise_and, BITS),
    _binary("BitwiseOr", np.bitwise_or, BITS),
    _binary("BitwiseXor", np.bitwise_xor, BITS),
    _binary("LeftShift", np.left_shift, BITS, domain=(0, 3)),
    _binary("RightShift", np.right_shift, BITS, domain=(0, 3)),
    *(
        _binary("Complex", lambda x, y, Tout: x + 1j * y, (kind,), attrs={"Tout": out})
        for kind, out in (("float32", np.complex64), ("float64", np.complex128))
    ),
    *(
        Row(op, ref, shapes=tuple(2 * s for s in UNARY), domain=(0.2, 2))
        for op, ref in (
            ("SigmoidGrad", lambda y, dy: dy * y * (1 - y)),
            ("TanhGrad", lambda y, dy: dy * (1 - y * y)),
            ("SqrtGrad", lambda y, dy: 0.5 * dy / np.conj(y)),
            ("RsqrtGrad", lambda y, dy: -0.5 * dy * np.conj(y) ** 3),
            ("ReciprocalGrad", lambda y, dy: -dy * np.conj(y) ** 2),
            ("InvGrad", lambda y, dy: -dy * np.conj(y) ** 2),
        )
    ),
    *(
        _reduction(op, ref, types, axis, keep, tol=8, domain=(-1.3, 1.3))
        for axis, keep in ((_axis(0), False), (_axis(-1), True), (_axis(0, 2), False), (_axis(0, 1, 2), True))
        for op, ref, types in (
            ("Sum", np.sum, NUMBERS),
            ("Mean", _mean, None),
            ("Prod", _prod, None),
            ("All", np.all, ("bool",)),
            ("Any", np.any, ("bool",)),
        )
    ),
    *(
        Row(
            op,
            lambda x, axes, keep_dims, f=f: f(x, axis=1, keepdims=keep_dims),
            shapes=(((3, 5, 2), ()), ((1, 40), ())),
            dtypes=REALS,
            fixed={1: _axis(1)},
            attrs={"keep_dims": False},
        )
        for op, f in (("Max", np.max), ("Min", np.min))
    ),
    *(
        Row(
            op,
            lambda x, axis, output_type=None, f=f: f(x, axis=int(axis)),
            shapes=(((3, 5, 2), ()), ((1, 40), ())),
            dtypes=REALS,
            fixed={1: _axis(1)},
            grad=False,  # the inputs are integers
        )
        for op, f in (("ArgMax", np.argmax), ("ArgMin", np.argmin))
    ),
    *(
        Row(
            op,
            lambda x, axis, f=f, **attrs: f(x, axis=int(axis), dtype=x.dtype),
            shapes=(((3, 5, 2), ()), ((4, 40), ()), ((2, 0), ())),
            fixed={1: _axis(axis)},
            tol=8,
            domain=(-2, 2),
            complex_grad=op == "Cumsum",  # TensorFlow's gradient of Cumprod does not conjugate
        )
        for axis in (0, 1)
        for op, f in (("Cumsum", np.cumsum), ("Cumprod", np.cumprod))
    ),
    Row(
        "MatMul",
        np.matmul,
        shapes=(((3, 4), (4, 5)), ((1, 1), (1, 1)), ((0, 2), (2, 3)), ((2, 0), (0, 3)), ((40, 70), (70, 50))),
        dtypes=(*FLOATS, "bfloat16", *INTS, *COMPLEXES),
        domain=(-1, 1),
        tol=20,
    ),
    Row(
        "MatMul",
        lambda a, b, transpose_a, transpose_b: a.T @ b.T,
        shapes=(((4, 3), (5, 4)), ((70, 40), (50, 70))),
        dtypes=(*FLOATS, "bfloat16", *INTS, *COMPLEXES),
        domain=(-1, 1),
        tol=20,
        attrs={"transpose_a": True, "transpose_b": True},
    ),
    Row(
        "BatchMatMulV2",
        np.matmul,
        shapes=(((2, 3, 4), (4, 5)), ((2, 1, 3, 4), (3, 4, 2)), ((0, 2, 2), (2, 2))),
        dtypes=(*FLOATS, "bfloat16", *INTS, *COMPLEXES),
        domain=(-1, 1),
        tol=20,
    ),
    Row(
        "BatchMatMul",
        lambda x, y, adj_y: x @ np.conj(np.swapaxes(y, -1, -2)),
        shapes=(((2, 3, 4), (2, 5, 4)),),
        dtypes=(*FLOATS, "bfloat16", *INTS, *COMPLEXES),
        domain=(-1, 1),
        tol=20,
        attrs={"adj_y": True},
    ),
    Row(
        "Select",
        np.where,
        shapes=(((4, 3), (4, 3), (4, 3)),),
        dtypes=(*NUMBERS, "bool"),
        fixed={0: np.arange(12).reshape(4, 3) % 3 == 0},
    ),
    Row(
        "Select",
        lambda c, t, e: np.where(c[:, None], t, e),
        shapes=(((4,), (4, 3), (4, 3)),),
        dtypes=(*NUMBERS, "bool"),
        fixed={0: np.array([True, False, False, True])},
    ),
    Row(
        "SelectV2",
        np.where,
        shapes=(((4, 1), (4, 3), (3,)), ((4, 1), (), (2, 4, 2))),
        dtypes=(*NUMBERS, "bool"),
        fixed={0: np.array([[True], [False], [False], [True]])},
    ),
    Row(
        "ClipByValue",
        np.clip,
        shapes=(((4, 33), (), ()), ((0,), (), ())),
        dtypes=(*FLOATS, *INTS, *SMALL_INTS),
        fixed={1: 1, 2: 3},
        domain=(-9, 9),
    ),
    Row("Cross", np.cross, shapes=(((4, 3), (4, 3)), ((3,), (3,))), dtypes=REALS, domain=(0, 2), tol=8),
    Row(
        "UnsortedSegmentSum",
        _segment_sum,
        shapes=(((5, 3), (), ()), ((5,), (), ())),
        dtypes=NUMBERS,
        fixed={1: np.array([2, 0, -1, 2, 0], np.int64), 2: _axis(4)},
        tol=4,
    ),
    Row(
        "SegmentSum",
        _segment_sum,
        shapes=(((5, 3), ()), ((5,), ())),
        dtypes=NUMBERS,
        fixed={1: _axis(0, 0, 1, 2, 2)},
        tol=4,
        dynamic=True,
    ),
    _unary("BesselI0e", special.i0e, FLOATS, domain=(-40, 40), special=True, tol=4),
    _unary("BesselI1e", special.i1e, FLOATS, domain=(-40, 40), special=True, tol=4),
    _binary("Igamma", special.gammainc, FLOAT_DOUBLE, domain=(0.1, 20), tol=20),
    _binary("Igammac", special.gammaincc, FLOAT_DOUBLE, domain=(0.1, 20), tol=20),
    _binary("IgammaGradA", _igamma_grad_a, FLOAT_DOUBLE, domain=(0.1, 20), tol=20),
    _binary("RandomGammaGrad", _sample_grad, FLOAT_DOUBLE, domain=(0.1, 20), tol=20),
    Row(
        "Betainc",
        special.betainc,
        shapes=(((), (), ()), ((0,),) * 3, ((7,), (), ()), ((), (4, 3), ()), ((3, 5), (), (3, 5)), ((33, 2),) * 3),
        dtypes=FLOAT_DOUBLE,
        domain=(0.5, 20),
        fixed={2: lambda rng, shape, _: rng.uniform(0.01, 0.99, shape)},
        tol=20,
        grad_inputs=(2,),
    ),
    _binary("Zeta", special.zeta, FLOAT_DOUBLE, domain=(1.1, 9), tol=4, grad_inputs=(1,)),
    Row(
        "Polygamma",
        lambda n, x: special.polygamma(n.astype(int), x),
        shapes=(((), (7,)),),
        dtypes=FLOAT_DOUBLE,
        fixed={0: 2},
        domain=(0.5, 9),
        tol=10,
        grad_inputs=(1,),
    ),
]
