"""Rows of image resizing, and of convolutions combined with it, checked with interpolation matrices."""

import numpy as np
from op_table import Row
from rows_nn import _conv

# Dtypes with tolerance factors: interpolation weights are floats for all image dtypes.
FLOATS = ((("float16", "float32"), 30), (("float64",), 1e7))
MODES = ({}, {"align_corners": True}, {"half_pixel_centers": True})


def _places(n, wanted, align_corners=False, half_pixel_centers=False):
    """The positions of `wanted` output rows among `n` input rows."""
    if align_corners and wanted > 1:
        return np.arange(wanted) * (n - 1) / (wanted - 1)
    if half_pixel_centers:
        return (np.arange(wanted) + 0.5) * n / wanted - 0.5
    return np.arange(wanted) * n / wanted


def _linear(n, wanted, **mode):
    """The [wanted, n] matrix of interpolation weights."""
    shares, places = np.zeros((wanted, n)), _places(n, wanted, **mode)
    for row, place in enumerate(places):
        below = int(np.floor(place))
        shares[row, max(below, 0)] += 1 - (place - below)
        shares[row, min(int(np.ceil(place)), n - 1)] += place - below
    return shares


def _nearest(n, wanted, align_corners=False, half_pixel_centers=False):
    places = _places(n, wanted, align_corners) + 1e-9  # so that rounding errors do not lead below an integer
    if half_pixel_centers:
        places = _places(n, wanted, half_pixel_centers=True) + 0.5 + 1e-9
    rows = np.floor(places + 0.5) if align_corners else np.floor(places)
    return np.eye(n)[np.minimum(rows.astype(int), n - 1)]


def _resized(shares, images, size, **mode):
    rows, columns = (shares(n, int(m), **mode) for n, m in zip(images.shape[1:3], size, strict=True))
    return np.einsum("yi,xj,bijc->byxc", rows, columns, images)


def _gradient(shares, grads, size, **mode):
    rows, columns = (shares(int(n), m, **mode) for n, m in zip(size, grads.shape[1:3], strict=True))
    return np.einsum("yi,xj,byxc->bijc", rows, columns, grads)


def _size(*size):
    return np.array(size, np.int32)


def _grads(*shape):
    return np.random.default_rng(1).uniform(-1, 1, shape).astype(np.float32)


def _fused(x, *rest, **attrs):
    *size, paddings, f = rest
    if size:
        x = _resized(_linear, x, size[0], align_corners=attrs.get("resize_align_corners", False))
    return _conv(np.pad(x, paddings, mode=attrs["mode"].lower()), f, strides=attrs["strides"], padding=attrs["padding"])


PADDINGS = np.array([[0, 0], [1, 2], [2, 0], [0, 0]], np.int32)
NO_PADDINGS = np.zeros((4, 2), np.int32)
FUSED = (
    {"mode": "REFLECT", "strides": [1, 1, 1, 1], "padding": "VALID"},
    {"mode": "SYMMETRIC", "strides": [1, 2, 2, 1], "padding": "SAME"},
)

ROWS = [
    *(
        Row(
            "ResizeBilinear",
            lambda x, size, **mode: _resized(_linear, x, size, **mode).astype(np.float32),
            shapes,
            fixed={1: _size(*size)},
            attrs=mode,
            domain=(0, 9),
            tol=16,
            grad=False,  # float differences are useless for double images; float images have a row
        )
        for mode in MODES
        for size, shapes in (
            ((5, 7), (((2, 3, 4, 3), ()), ((1, 6, 2, 2), ()), ((0, 2, 2, 1), ()))),
            ((2, 3), (((1, 5, 7, 1), ()), ((2, 2, 3, 2), ()), ((1, 1, 1, 4), ()))),
        )
    ),
    *(
        Row(
            "ResizeBilinear",
            lambda x, size, **mode: _resized(_linear, x, size, **mode).astype(np.float32),
            (((1, 3, 4, 2), ()), ((1, 7, 2, 1), ())),
            dtypes=("float32",),
            fixed={1: _size(5, 3)},
            attrs=mode,
            tol=16,
        )
        for mode in MODES
    ),
    *(
        Row(
            "ResizeBilinearGrad",
            lambda grads, image, **mode: _gradient(_linear, grads, image.shape[1:3], **mode),
            (((), (grads.shape[0], *size, grads.shape[3])),),
            dtypes=dtypes,
            fixed={0: grads},
            attrs=mode,
            tol=tol,
        )
        for dtypes, tol in FLOATS
        for mode in MODES
        for grads, size in ((_grads(2, 5, 7, 3), (3, 4)), (_grads(1, 2, 3, 1), (5, 7)), (_grads(1, 4, 4, 2), (1, 1)))
    ),
    *(
        Row(
            "ResizeNearestNeighbor",
            lambda x, size, **mode: _resized(_nearest, x, size, **mode),
            (((2, 3, 4, 3), ()), ((1, 6, 2, 2), ()), ((0, 2, 2, 1), ()), ((1, 9, 16, 1), ())),
            fixed={1: _size(*size)},
            attrs=mode,
        )
        for mode in MODES
        for size in ((5, 7), (2, 3))
    ),
    *(
        Row(
            "ResizeNearestNeighborGrad",
            lambda grads, size, **mode: _gradient(_nearest, grads, size, **mode),
            (((2, 5, 7, 3), ()), ((1, 2, 3, 2), ()), ((0, 2, 2, 1), ())),
            fixed={1: _size(3, 4)},
            attrs=mode,
            tol=8,
        )
        for mode in MODES
    ),
    *(
        Row(
            "FusedPadConv2D",
            _fused,
            (((2, 4, 5, 2), (), (3, 2, 2, 3)), ((1, 3, 3, 1), (), (1, 1, 1, 2))),
            fixed={1: paddings},
            attrs=attrs,
            domain=(-1, 1),
            tol=30,
        )
        for attrs in FUSED
        for paddings in (PADDINGS, NO_PADDINGS)
    ),
    *(
        Row(
            "FusedResizeAndPadConv2D",
            _fused,
            (((2, 3, 4, 2), (), (), (3, 2, 2, 3)), ((1, 2, 5, 1), (), (), (1, 1, 1, 2))),
            dtypes=dtypes,
            fixed={1: _size(4, 5), 2: paddings},
            attrs={**attrs, "resize_align_corners": align},
            domain=(-1, 1),
            tol=tol,
        )
        for dtypes, tol in FLOATS
        for attrs in FUSED
        for paddings, align in ((PADDINGS, False), (NO_PADDINGS, True))
    ),
]
