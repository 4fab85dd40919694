"""Rows of batch normalization: three versions, training and inference, both data formats."""

import numpy as np
from op_table import Row

EPSILON = 0.001
SHAPE, EMPTY = (2, 2, 2, 3), (0, 2, 2, 3)
_VECTORS = np.random.default_rng(5).uniform(0.5, 2, (4, 3)).astype(np.float32)
_FIRST = (0, 3, 1, 2)  # permutation from NHWC to NCHW


def _last(x, data_format):
    return x if data_format == "NHWC" else np.moveaxis(x, 1, -1)


def _as(x, data_format):
    return x if data_format == "NHWC" else np.moveaxis(x, -1, 1)


def _forward(x, scale, offset, mean, variance, is_training, data_format, epsilon):
    x = _last(x, data_format)
    unbiased = variance
    if is_training:
        mean, variance, n = x.mean((0, 1, 2)), x.var((0, 1, 2)), x[..., 0].size
        unbiased = variance * n / (n - 1)
    y = (x - mean) / np.sqrt(variance + epsilon) * scale + offset
    return _as(y, data_format), mean, unbiased, mean, variance


def _backward(dy, x, scale, mean, variance, is_training, data_format, epsilon):
    dy, x = _last(dy, data_format), _last(x, data_format)
    inverse = 1 / np.sqrt(variance + epsilon)
    hat = (x - mean) * inverse
    dscale, doffset = (dy * hat).sum((0, 1, 2)), dy.sum((0, 1, 2))
    n = x[..., 0].size
    through = (doffset + hat * dscale) / n if is_training else 0
    spare = np.zeros(0 if is_training else len(dscale))
    return _as(scale * inverse * (dy - through), data_format), dscale, doffset, spare, spare


def _rows(version):
    """Version 1 has one dtype for all inputs; the others have float32 vectors beside any floating `x`."""
    extra = (np.zeros(()),) if version == "V3" else ()
    for training in (True, False):
        for data_format in ("NHWC", "NCHW"):
            attrs = {"epsilon": EPSILON, "is_training": training, "data_format": data_format}
            shapes = [SHAPE] if training else [SHAPE, EMPTY]
            if data_format == "NCHW":
                shapes = [tuple(s[i] for i in _FIRST) for s in shapes]
            statistics = {3: np.zeros(0, np.float32), 4: np.zeros(0, np.float32)} if training else {4: 1.5}
            if version and not training:
                statistics = {3: _VECTORS[2], 4: _VECTORS[3]}
            given = {1: _VECTORS[0], 2: _VECTORS[1]} if version else {}
            yield Row(
                "FusedBatchNorm" + version,
                lambda *a, **k: (*_forward(*a, **k), *extra),
                tuple((s, (3,), (3,), (3,), (3,)) for s in shapes),
                fixed={**given, **statistics},
                attrs=attrs,
                tol=20,
                dynamic=version == "V3",  # outputs reserved for other devices have no inferred shape
                grad_inputs=(0, 1, 2),
            )
            kept = {3: _VECTORS[2], 4: _VECTORS[3], 5: np.zeros((), np.float32)}
            yield Row(
                f"FusedBatchNormGrad{version}",
                lambda dy, x, scale, mean, variance, *unused, **k: _backward(dy, x, scale, mean, variance, **k),
                tuple((s, s, (3,), (3,), (3,), *((),) * len(extra)) for s in shapes),
                fixed={**({2: _VECTORS[0]} if version else {}), **kept},
                attrs=attrs,
                tol=20,
                grad=not training,  # in training: see test_batch_norm_grad.py
                grad_inputs=(0, 1, 2),
            )


ROWS = [row for version in ("", "V2", "V3") for row in _rows(version)]
