"""Rows of the neural-network ops, checked with loops over windows."""

import numpy as np
from op_table import Row

SMALL = (((),), ((0,),), ((7,),), ((3, 5),))
PAIRS = tuple(2 * s for s in SMALL)


def _window(sizes, kernel, strides, dilations, padding):
    """(output sizes, [(output index, kernel index, input index)]) of a sliding window; padding positions are left
    out.
    """
    out, before = [], []
    for size, k, s, d in zip(sizes, kernel, strides, dilations, strict=True):
        reach = (k - 1) * d + 1
        n = -(-size // s) if padding == "SAME" else (size - reach) // s + 1
        out.append(max(n, 0))
        before.append(max((n - 1) * s + reach - size, 0) // 2 if padding == "SAME" else 0)
    triples = []
    for o in np.ndindex(*out):
        for k in np.ndindex(*kernel):
            at = tuple(i * s - b + j * d for i, s, b, j, d in zip(o, strides, before, k, dilations, strict=True))
            if all(0 <= a < size for a, size in zip(at, sizes, strict=True)):
                triples.append((o, k, at))
    return tuple(out), triples


def _of(attrs, sizes, kernel):
    return _window(
        sizes, kernel, attrs["strides"][1:-1], attrs.get("dilations", [1] * 5)[1:-1][: len(kernel)], attrs["padding"]
    )


def _conv(x, f, **attrs):
    out, triples = _of(attrs, x.shape[1:-1], f.shape[:-2])
    y = np.zeros((x.shape[0], *out, f.shape[-1]))
    for o, k, at in triples:
        y[(slice(None), *o)] += x[(slice(None), *at)] @ f[k]
    return y


def _conv_input(sizes, f, dy, **attrs):
    x = np.zeros(tuple(sizes))
    for o, k, at in _of(attrs, x.shape[1:-1], f.shape[:-2])[1]:
        x[(slice(None), *at)] += dy[(slice(None), *o)] @ f[k].T
    return x


def _conv_filter(x, sizes, dy, **attrs):
    f = np.zeros(tuple(sizes))
    for o, k, at in _of(attrs, x.shape[1:-1], f.shape[:-2])[1]:
        f[k] += x[(slice(None), *at)].T @ dy[(slice(None), *o)]
    return f


def _depthwise(x, f, **attrs):
    out, triples = _of(attrs, x.shape[1:-1], f.shape[:-2])
    y = np.zeros((x.shape[0], *out, f.shape[-2] * f.shape[-1]))
    for o, k, at in triples:
        y[(slice(None), *o)] += (x[(slice(None), *at)][..., None] * f[k]).reshape(x.shape[0], -1)
    return y


def _depthwise_input(sizes, f, dy, **attrs):
    x = np.zeros(tuple(sizes))
    for o, k, at in _of(attrs, x.shape[1:-1], f.shape[:-2])[1]:
        x[(slice(None), *at)] += (dy[(slice(None), *o)].reshape(x.shape[0], *f.shape[-2:]) * f[k]).sum(-1)
    return x


def _depthwise_filter(x, sizes, dy, **attrs):
    f = np.zeros(tuple(sizes))
    for o, k, at in _of(attrs, x.shape[1:-1], f.shape[:-2])[1]:
        d = dy[(slice(None), *o)].reshape(x.shape[0], *f.shape[-2:])
        f[k] += (x[(slice(None), *at)][..., None] * d).sum(0)
    return f


def _pooled(x, attrs):
    out, triples = _of(attrs, x.shape[1:-1], attrs["ksize"][1:-1])
    inside = {}
    for o, _, at in triples:
        inside.setdefault(o, []).append(at)
    return (x.shape[0], *out, x.shape[-1]), inside


def _max_pool(x, **attrs):
    shape, inside = _pooled(x, attrs)
    y = np.zeros(shape, x.dtype)
    for o, places in inside.items():
        y[(slice(None), *o)] = np.max([x[(slice(None), *at)] for at in places], 0)
    return y


def _max_pool_grad(x, _, dy, **attrs):
    dx = np.zeros_like(x)
    for o, places in _pooled(x, attrs)[1].items():
        values = np.array([x[(slice(None), *at)] for at in places])
        for (n, c), best in np.ndenumerate(values.argmax(0)):
            dx[(n, *places[best], c)] += dy[(n, *o, c)]
    return dx


def _max_pool_grad_equal(x, y, dy, **attrs):
    dx = np.zeros_like(x)
    for o, places in _pooled(x, attrs)[1].items():
        for at in places:
            everywhere = (slice(None), *at)
            dx[everywhere] += np.where(x[everywhere] == y[(slice(None), *o)], dy[(slice(None), *o)], 0)
    return dx


def _max_pool_grad_grad(x, _, ddx, **attrs):
    shape, inside = _pooled(x, attrs)
    y = np.zeros(shape, x.dtype)
    for o, places in inside.items():
        values = np.array([x[(slice(None), *at)] for at in places])
        for (n, c), best in np.ndenumerate(values.argmax(0)):
            y[(n, *o, c)] = ddx[(n, *places[best], c)]
    return y


def _max_pool_argmax(x, **attrs):
    shape, inside = _pooled(x, attrs)
    where = np.zeros(shape, np.int64)
    for o, places in inside.items():
        values = np.array([x[(slice(None), *at)] for at in places])
        for (n, c), best in np.ndenumerate(values.argmax(0)):
            h, w = places[best]
            where[(n, *o, c)] = (h * x.shape[2] + w) * x.shape[3] + c
    return _max_pool(x, **attrs), where


def _max_pool_grad_argmax(x, dy, argmax, **attrs):
    dx = np.zeros_like(x)
    for n in range(x.shape[0]):
        np.add.at(dx[n].reshape(-1), argmax[n].reshape(-1), dy[n].reshape(-1))
    return dx


def _avg_pool(x, **attrs):
    shape, inside = _pooled(x, attrs)
    y = np.zeros(shape)
    for o, places in inside.items():
        y[(slice(None), *o)] = np.mean([x[(slice(None), *at)] for at in places], 0)
    return y


def _avg_pool_grad(shape, dy, **attrs):
    dx = np.zeros(tuple(shape))
    for o, places in _pooled(dx, attrs)[1].items():
        for at in places:
            dx[(slice(None), *at)] += dy[(slice(None), *o)] / len(places)
    return dx


def _distinct(rng, shape, _):
    """Distinct numbers, so that a maximum is unique."""
    return rng.permutation(int(np.prod(shape))).reshape(shape)


def _softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def _cross_entropy(x, p):
    x, p = np.broadcast_arrays(x, p)
    log = x - x.max(-1, keepdims=True)
    log = log - np.log(np.exp(log).sum(-1, keepdims=True))
    return -(p * log).sum(-1), np.exp(log) - p


def _sparse_cross_entropy(x, labels):
    p = np.eye(x.shape[1])[labels]
    return _cross_entropy(x, p)


def _distribution(rng, shape, _):
    return _softmax(rng.normal(size=shape))


def _lrn(x, depth_radius, bias, alpha, beta):
    return x / _lrn_norm(x, depth_radius, bias, alpha) ** beta


def _lrn_norm(x, radius, bias, alpha):
    squares = np.pad(x * x, [(0, 0)] * 3 + [(radius, radius)])
    return bias + alpha * sum(squares[..., i : i + x.shape[-1]] for i in range(2 * radius + 1))


def _lrn_grad(dy, x, y, depth_radius, bias, alpha, beta):
    norm = _lrn_norm(x, depth_radius, bias, alpha)
    inner = np.pad(dy * x * norm ** (-beta - 1), [(0, 0)] * 3 + [(depth_radius, depth_radius)])
    around = sum(inner[..., i : i + x.shape[-1]] for i in range(2 * depth_radius + 1))
    return dy * norm**-beta - 2 * alpha * beta * x * around


def _top_k(x, k):
    order = np.argsort(-x.astype(np.float64), -1, kind="stable")[..., :k]
    return np.take_along_axis(x, order, -1), order.astype(np.int32)


def _selu(x):
    scale, alpha = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
    return scale * np.where(x > 0, x, alpha * np.expm1(x))


def _selu_grad(dy, y):
    scale, alpha = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
    return np.where(y < 0, dy * (y + scale * alpha), dy * scale)


CONV = {"strides": [1, 2, 1, 1], "padding": "SAME"}
CONV3 = {"strides": [1, 1, 2, 1, 1], "padding": "SAME"}
POOL = {"ksize": [1, 2, 3, 1], "strides": [1, 2, 1, 1]}
POOL3 = {"ksize": [1, 2, 2, 1, 1], "strides": [1, 1, 2, 1, 1], "padding": "SAME"}
FAR3 = {"ksize": [1, 1, 1, 1, 1], "strides": [1, 6, 4, 1, 1]}
WIDE = {"ksize": [1, 11, 9, 1], "strides": [1, 1, 1, 1]}
LRN = {"depth_radius": 1, "bias": 1.5, "alpha": 0.5, "beta": 0.75}


def _i(*values):
    return np.array(values, np.int32)


def _windows(op, ref, shapes, fixed=None, paddings=("SAME", "VALID"), attrs=CONV, **options):
    """A row for each given padding."""
    for padding in paddings:
        yield Row(op, ref, shapes=shapes, fixed=fixed or {}, attrs={**attrs, "padding": padding}, **options)


def _max_of(attrs):
    return lambda rng, shape, arrays: _max_pool(arrays[0], **attrs)


def _same_sizes(attrs, sizes, kernel):
    """The shape [1, output sizes…, 2] of an output gradient."""
    return (1, *_of(attrs, sizes, kernel)[0], 2)


def _with_idle_rows():
    """Convolutions with points of the output or of a gradient that no filter tap reaches, because dilations or
    strides exceed the image in one or all directions, in two and three dimensions.
    """
    for padding, size, k, stride, dilation in (
        ("SAME", 4, 2, 1, 8),
        ("SAME", 4, 3, 2, 3),
        ("SAME", 5, 2, 3, 4),
        ("VALID", 5, 3, 1, 2),
        ("VALID", 7, 2, 3, 5),
        ("VALID", 4, 1, 3, 1),
    ):
        for both in (True, False):
            steps, rates = ([1, a, a if both else 1, 1] for a in (stride, dilation))
            x, f = (1, size, size, 1), (k, k, 1, 2)
            attrs = {"strides": steps, "dilations": rates, "padding": padding}
            if not both and padding == "VALID":
                f = (k, 1, 1, 2)
            options = {"tol": 60, "domain": (-1, 1), "dtypes": ("float32", "float64")}
            for name, forward, inputs, filters in (
                ("Conv2D{}", _conv, _conv_input, _conv_filter),
                ("DepthwiseConv2dNative{}", _depthwise, _depthwise_input, _depthwise_filter),
            ):
                dy = _same_sizes(attrs, x[1:-1], f[:-2])
                ops = [name.format(part) for part in ("", "BackpropInput", "BackpropFilter")]
                yield Row(ops[0], forward, ((x, f),), attrs=attrs, **options)
                yield Row(ops[1], inputs, (((), f, dy),), attrs=attrs, fixed={0: _i(*x)}, **options)
                yield Row(ops[2], filters, ((x, (), dy),), attrs=attrs, fixed={1: _i(*f)}, **options)
            x, f, options["dtypes"] = (1, size, 2, 2, 1), (k, 1, 2, 1, 2), ("float32",)
            attrs = {"strides": [1, stride, 1, 1, 1], "dilations": [1, dilation, 1, 1, 1], "padding": padding}
            dy = _same_sizes(attrs, x[1:-1], f[:-2])
            yield Row("Conv3D", _conv, ((x, f),), attrs=attrs, **options)
            yield Row("Conv3DBackpropInputV2", _conv_input, (((), f, dy),), attrs=attrs, fixed={0: _i(*x)}, **options)
            yield Row("Conv3DBackpropFilterV2", _conv_filter, ((x, (), dy),), attrs=attrs, fixed={1: _i(*f)}, **options)


SCORES = np.random.default_rng(1).normal(size=(3, 5)).astype(np.float32)
ARGMAX = {**POOL, "padding": "SAME"}
ARGMAX_X = np.random.default_rng(0).permutation(80).reshape(2, 5, 4, 2)


ROWS = [
    Row("Relu", lambda x: np.maximum(x, 0), SMALL, special=True),
    Row("Relu6", lambda x: np.clip(x, 0, 6), SMALL, domain=(-9, 9)),
    Row("LeakyRelu", lambda x, alpha: np.where(x > 0, x, alpha * x), SMALL, attrs={"alpha": 0.25}),
    Row("Elu", lambda x: np.where(x > 0, x, np.expm1(x)), SMALL),
    Row("Selu", _selu, SMALL),
    Row("Softplus", lambda x: np.logaddexp(x, 0), SMALL, domain=(-30, 30)),
    Row("Softsign", lambda x: x / (1 + np.abs(x)), SMALL),
    Row("ReluGrad", lambda dy, x: dy * (x > 0), PAIRS),
    Row("Relu6Grad", lambda dy, x: dy * ((x > 0) & (x < 6)), PAIRS, domain=(-9, 9)),
    Row("LeakyReluGrad", lambda dy, x, alpha: np.where(x > 0, dy, alpha * dy), PAIRS, attrs={"alpha": 0.25}),
    Row("EluGrad", lambda dy, y: np.where(y < 0, dy * (y + 1), dy), PAIRS, domain=(-0.9, 0.9)),
    Row("SeluGrad", _selu_grad, PAIRS, domain=(-0.9, 0.9)),
    Row("SoftplusGrad", lambda dy, x: dy / (1 + np.exp(-x)), PAIRS),
    Row("SoftsignGrad", lambda dy, x: dy / (1 + np.abs(x)) ** 2, PAIRS),
    Row("Softmax", _softmax, (((5,),), ((3, 4),), ((2, 3, 4),), ((0, 4),)), tol=4),
    Row("LogSoftmax", lambda x: np.log(_softmax(x)), (((5,),), ((3, 4),), ((0, 4),)), tol=4),
    Row(
        "SoftmaxCrossEntropyWithLogits",
        _cross_entropy,
        (((3, 4), (3, 4)), ((0, 4), (0, 4))),
        fixed={1: _distribution},
        tol=8,
        grad_inputs=(0,),
    ),
    Row(
        "SoftmaxCrossEntropyWithLogits",
        _cross_entropy,
        (((3, 4), (1, 4)),),
        fixed={1: _distribution},
        tol=8,
        grad=False,  # TensorFlow's gradient requires equal shapes
    ),
    Row(
        "SparseSoftmaxCrossEntropyWithLogits",
        _sparse_cross_entropy,
        (((3, 4), ()),),
        fixed={1: np.array([2, 0, 3], np.int64)},
        tol=8,
        grad_inputs=(0,),
    ),
    Row("L2Loss", lambda x: np.asarray((x * x).sum() / 2), SMALL, tol=8),
    Row("BiasAdd", np.add, (((2, 3), (3,)), ((2, 2, 2, 3), (3,)), ((0, 3), (3,)))),
    Row(
        "BiasAdd",
        lambda x, b, data_format: x + b[:, None, None],
        (((2, 3, 2, 2), (3,)),),
        attrs={"data_format": "NCHW"},
    ),
    Row("BiasAddGrad", lambda dy: dy.reshape(-1, dy.shape[-1]).sum(0), (((2, 3),), ((2, 2, 2, 3),)), tol=8),
    Row("LRN", _lrn, (((1, 2, 2, 5),),), attrs=LRN, tol=8),
    Row(
        "LRNGrad",
        _lrn_grad,
        (((1, 2, 2, 5),) * 3,),
        attrs=LRN,
        tol=30,
        fixed={2: lambda r, s, a: _lrn(a[1], **LRN)},
    ),
    *_windows("Conv2D", _conv, (((2, 5, 4, 2), (3, 2, 2, 3)), ((1, 3, 3, 1), (1, 1, 1, 2))), tol=30, domain=(-1, 1)),
    *_windows(
        "Conv2D",
        _conv,
        (((1, 7, 7, 2), (3, 3, 2, 2)),),
        attrs={"strides": [1, 1, 1, 1], "dilations": [1, 2, 2, 1]},
        tol=30,
        domain=(-1, 1),
    ),
    Row(
        "Conv2DBackpropInput",
        _conv_input,
        (((), (3, 2, 2, 3), (2, 3, 4, 3)),),
        fixed={0: _i(2, 5, 4, 2)},
        attrs=CONV,
        tol=30,
        domain=(-1, 1),
    ),
    Row(
        "Conv2DBackpropFilter",
        _conv_filter,
        (((2, 5, 4, 2), (), (2, 3, 4, 3)),),
        fixed={1: _i(3, 2, 2, 3)},
        attrs=CONV,
        tol=60,
        domain=(-1, 1),
    ),
    *_windows("Conv3D", _conv, (((1, 3, 4, 3, 2), (2, 2, 2, 2, 2)),), attrs=CONV3, tol=30, domain=(-1, 1)),
    Row(
        "Conv3DBackpropInputV2",
        _conv_input,
        (((), (2, 2, 2, 2, 2), (1, 3, 2, 3, 2)),),
        fixed={0: _i(1, 3, 4, 3, 2)},
        attrs=CONV3,
        tol=30,
        domain=(-1, 1),
    ),
    Row(
        "Conv3DBackpropFilterV2",
        _conv_filter,
        (((1, 3, 4, 3, 2), (), (1, 3, 2, 3, 2)),),
        fixed={1: _i(2, 2, 2, 2, 2)},
        attrs=CONV3,
        tol=60,
        domain=(-1, 1),
    ),
    *_windows(
        "DepthwiseConv2dNative",
        _depthwise,
        (((2, 4, 4, 2), (2, 3, 2, 2)), ((1, 4, 4, 3), (3, 3, 3, 1))),
        attrs={"strides": [1, 2, 2, 1]},
        tol=30,
        domain=(-1, 1),
    ),
    Row(
        "DepthwiseConv2dNativeBackpropInput",
        _depthwise_input,
        (((), (2, 3, 2, 2), (2, 2, 2, 4)),),
        fixed={0: _i(2, 4, 4, 2)},
        attrs={"strides": [1, 2, 2, 1], "padding": "SAME"},
        tol=30,
        domain=(-1, 1),
    ),
    Row(
        "DepthwiseConv2dNativeBackpropFilter",
        _depthwise_filter,
        (((2, 4, 4, 2), (), (2, 2, 2, 4)),),
        fixed={1: _i(2, 3, 2, 2)},
        attrs={"strides": [1, 2, 2, 1], "padding": "SAME"},
        tol=60,
        domain=(-1, 1),
    ),
    *_with_idle_rows(),
    # Strides larger than the window: SAME starts at the first point.
    *_windows(
        "Conv3D",
        _conv,
        (((1, 6, 4, 2, 1), (1, 1, 1, 1, 2)),),
        attrs={"strides": [1, 6, 4, 1, 1]},
        paddings=("SAME",),
        tol=30,
        dtypes=("float64",),
    ),
    *_windows("MaxPool3D", _max_pool, (((1, 6, 4, 2, 1),),), {0: _distinct}, ("SAME",), FAR3, dtypes=("float32",)),
    *_windows("AvgPool3D", _avg_pool, (((1, 6, 4, 2, 1),),), None, ("SAME",), FAR3, dtypes=("float64",)),
    # Windows larger than the image in all directions.
    *_windows("MaxPool", _max_pool, (((1, 3, 2, 1),),), {0: _distinct}, ("SAME",), WIDE, dtypes=("float32",)),
    *_windows("AvgPool", _avg_pool, (((1, 3, 2, 1),),), None, ("SAME",), WIDE, dtypes=("float64",), tol=8),
    *_windows("MaxPool", _max_pool, (((2, 5, 4, 2),), ((1, 4, 4, 1),)), {0: _distinct}, attrs=POOL),
    *_windows("AvgPool", _avg_pool, (((2, 5, 4, 2),), ((1, 4, 4, 1),)), attrs=POOL, tol=8),
    *_windows("MaxPool3D", _max_pool, (((1, 3, 4, 3, 2),),), {0: _distinct}, attrs=POOL3),
    *_windows("AvgPool3D", _avg_pool, (((1, 3, 4, 3, 2),),), attrs=POOL3, tol=8),
    *(
        Row(
            op,
            ref,
            ((x, y, last),),
            fixed={0: _distinct, 1: _max_of(attrs)},
            attrs=attrs,
            grad_inputs=(2,),
            tol=4,
        )
        for op, ref, x, y, attrs, last in (
            ("MaxPoolGrad", _max_pool_grad, (2, 5, 4, 2), (2, 3, 4, 2), {**POOL, "padding": "SAME"}, (2, 3, 4, 2)),
            ("MaxPool3DGrad", _max_pool_grad_equal, (1, 3, 4, 3, 2), (1, 3, 2, 3, 2), POOL3, (1, 3, 2, 3, 2)),
            (
                "MaxPoolGradGrad",
                _max_pool_grad_grad,
                (2, 5, 4, 2),
                (2, 3, 4, 2),
                {**POOL, "padding": "SAME"},
                (2, 5, 4, 2),
            ),
            ("MaxPool3DGradGrad", _max_pool_grad_grad, (1, 3, 4, 3, 2), (1, 3, 2, 3, 2), POOL3, (1, 3, 4, 3, 2)),
        )
    ),
    Row(
        "MaxPool3DGrad",
        _max_pool_grad_equal,
        (((2, 3, 4, 3, 2), (2, 3, 2, 3, 2), (2, 3, 2, 3, 2)),),
        fixed={0: lambda rng, shape, _: rng.integers(0, 3, shape), 1: _max_of(POOL3)},
        attrs=POOL3,
        tol=4,
        grad=False,  # the gradient goes to the first of equal elements, as in TensorFlow
    ),
    Row(
        "AvgPoolGrad",
        _avg_pool_grad,
        (((), (2, 3, 4, 2)),),
        fixed={0: _i(2, 5, 4, 2)},
        attrs={**POOL, "padding": "SAME"},
        tol=8,
    ),
    Row("AvgPool3DGrad", _avg_pool_grad, (((), (1, 3, 2, 3, 2)),), fixed={0: _i(1, 3, 4, 3, 2)}, attrs=POOL3, tol=8),
    *_windows("MaxPoolWithArgmax", _max_pool_argmax, (((2, 5, 4, 2),),), {0: _distinct}, attrs=POOL),
    Row(
        "MaxPoolGradWithArgmax",
        _max_pool_grad_argmax,
        (((2, 5, 4, 2), (2, 3, 4, 2), ()),),
        fixed={0: lambda rng, shape, _: ARGMAX_X, 2: _max_pool_argmax(ARGMAX_X, **ARGMAX)[1]},
        attrs=ARGMAX,
        tol=4,
    ),
    Row(
        "TopKV2",
        lambda x, k: _top_k(x, int(k)),
        (((7,), ()), ((3, 5), ()), ((2, 2, 4), ())),
        fixed={0: _distinct, 1: np.array(2, np.int32)},
    ),
    Row(
        "InTopK",
        lambda p, t, k: np.array([t[i] in np.argsort(-p[i])[:k] for i in range(3)]),
        (((), (3,)),),
        fixed={0: SCORES, 1: lambda rng, shape, _: _i(1, 4, 0)},
        attrs={"k": 2},
    ),
    Row(
        "InTopKV2",
        lambda p, t, k: np.array([t[i] in np.argsort(-p[i])[:2] for i in range(3)]),
        (((), (3,), ()),),
        fixed={0: SCORES, 1: lambda rng, shape, _: _i(1, 4, 0), 2: lambda rng, shape, _: np.array(2)},
    ),
]
