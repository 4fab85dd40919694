"""Rows of the neural-network family whose result is one tensor; images, normalisation and losses have C++ tests."""

import numpy as np
from op_table import FLOATS, REALS, UNARY, Row

ALL_FLOATS = (*FLOATS, "bfloat16")
PAIRS = tuple((*shapes, *shapes) for shapes in UNARY)
ROWS_OF_CLASSES = (((7,),), ((5, 37),), ((2, 0, 3),), ((2, 3, 9),))
SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772


def _leaky(x, alpha):
    return np.where(x > 0, x, np.float32(alpha).astype(np.float64) * x)


def _softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True)) if x.size else x
    return e / e.sum(axis=-1, keepdims=True) if x.size else e


def _log_softmax(x):
    shifted = x - x.max(axis=-1, keepdims=True) if x.size else x
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)) if x.size else x


def _unary(op, ref, dtypes=ALL_FLOATS, **options):
    return Row(op, ref, dtypes=dtypes, **options)


def _gradient(op, ref, dtypes=ALL_FLOATS, **options):
    return Row(op, ref, shapes=PAIRS, dtypes=dtypes, **options)


ROWS = [
    _unary("Relu", lambda x: np.maximum(x, 0), REALS),
    _unary("Relu6", lambda x: np.minimum(np.maximum(x, 0), 6), REALS, domain=(-3, 9)),
    _unary("LeakyRelu", _leaky, attrs={"alpha": 0.25}),
    _unary("Elu", lambda x: np.where(x < 0, np.expm1(x), x)),
    _unary("Selu", lambda x: SELU_SCALE * np.where(x < 0, SELU_ALPHA * np.expm1(x), x), tol=2),
    _unary("Softplus", lambda x: np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0), tol=2),
    _unary("Softsign", lambda x: x / (1 + np.abs(x))),
    _gradient("ReluGrad", lambda g, x: np.where(x > 0, g, np.zeros_like(g)), REALS),
    _gradient("Relu6Grad", lambda g, x: np.where((x > 0) & (x < 6), g, np.zeros_like(g)), REALS, domain=(-3, 9)),
    _gradient("LeakyReluGrad", lambda g, x, alpha: np.where(x > 0, g, alpha * g), attrs={"alpha": 0.25}),
    _gradient("EluGrad", lambda g, y: np.where(y < 0, g * (y + 1), g)),
    _gradient("SeluGrad", lambda g, y: np.where(y < 0, g * (y + SELU_SCALE * SELU_ALPHA), SELU_SCALE * g), tol=2),
    _gradient("SoftplusGrad", lambda g, x: g / (1 + np.exp(-x)), tol=2),
    _gradient("SoftsignGrad", lambda g, x: g / (1 + np.abs(x)) ** 2, tol=2),
    Row("Softmax", _softmax, shapes=ROWS_OF_CLASSES, dtypes=ALL_FLOATS, tol=2),
    Row("LogSoftmax", _log_softmax, shapes=ROWS_OF_CLASSES, dtypes=ALL_FLOATS, tol=2),
    Row("L2Loss", lambda x: np.sum(x * x) / 2, dtypes=FLOATS, tol=4),
    Row("BiasAdd", lambda x, b: x + b, shapes=(((2, 3), (3,)), ((0, 3), (3,)), ((4, 5, 6, 70), (70,))), dtypes=REALS),
    Row(
        "BiasAddGrad",
        lambda g: g.sum(axis=tuple(range(g.ndim - 1))),
        shapes=(((2, 3),), ((0, 3),), ((4, 5, 6, 70),)),
        dtypes=(*FLOATS, "int32", "int64"),
        tol=30,
    ),
]
