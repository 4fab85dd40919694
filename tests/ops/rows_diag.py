"""Rows of the ops on bands of diagonals, such as MatrixDiagV2 and V3, checked with NumPy's `diagonal`."""

import numpy as np
from op_table import Row

ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")


def _i(value):
    return np.array(value, np.int32)


def _diagonals(k):
    """The diagonals of a band, from the highest to the lowest."""
    ends = np.reshape(k, -1).tolist()
    return range(ends[-1], ends[0] - 1, -1)


def _put(row, d, align, values):
    """Writes a diagonal into its row of a packed band."""
    right = align.split("_")[0 if d > 0 else 1] == "RIGHT"
    row[..., row.shape[-1] - values.shape[-1] :] = values if right else row[..., row.shape[-1] - values.shape[-1] :]
    if not right:
        row[..., : values.shape[-1]] = values


def _part(x, k, padding, align="LEFT_LEFT"):
    found = [np.diagonal(x, d, -2, -1) for d in _diagonals(k)]
    if len(found) == 1:
        return found[0]
    longest = max(values.shape[-1] for values in found)
    out = np.full((*x.shape[:-2], len(found), longest), padding, x.dtype)
    for i, (d, values) in enumerate(zip(_diagonals(k), found, strict=True)):
        _put(out[..., i, :], d, align, values)
    return out


def _set(x, diagonal, k, align="LEFT_LEFT"):
    places = np.arange(x.shape[-2] * x.shape[-1], dtype=np.int64).reshape(x.shape[-2:])
    packed = _part(places, k, -1, align).reshape(-1)
    batch = x.shape[:-2]
    out = x.reshape(*batch, places.size).copy()
    out[..., packed[packed >= 0]] = diagonal.reshape(*batch, packed.size)[..., packed >= 0]
    return out.reshape(x.shape)


def _diag(diagonal, k, rows, cols, padding, align="LEFT_LEFT"):
    ends = np.reshape(k, -1)
    least = [diagonal.shape[-1] - min(ends[-1], 0), diagonal.shape[-1] + max(ends[0], 0)]
    if rows == cols == -1:
        least = [max(least)] * 2
    size = [least[0] if rows == -1 else int(rows), least[1] if cols == -1 else int(cols)]
    batch = diagonal.shape[: -1 if ends[0] == ends[-1] else -2]
    return _set(np.full((*batch, *size), padding, diagonal.dtype), diagonal, k, align)


def _rows(op, aligned):
    """Rows for V2, which has no `align`, and rows for V3 with each alignment."""
    ref, cases = aligned
    for number, (shapes, fixed) in enumerate(cases):
        common = {"shapes": (shapes,), "fixed": fixed, "grad_inputs": (0, 1) if op == "MatrixSetDiag" else (0,)}
        yield Row(op + "V2", ref, **common)
        for align in ALIGNMENTS if number < 2 else ALIGNMENTS[:1]:
            yield Row(op + "V3", ref, attrs={"align": align}, **common)


def _diag_case(shape, k, rows=-1, cols=-1):
    return (shape, (), (), (), ()), {1: _i(k), 2: _i(rows), 3: _i(cols), 4: 1}


def _part_case(shape, k):
    return (shape, (), ()), {1: _i(k), 2: 1}


def _set_case(shape, diagonal, k):
    return (shape, diagonal, ()), {2: _i(k)}


# The gradient requests all diagonals of the band, but the matrices have only some: an error, as in TensorFlow.
BEYOND = {"shapes": (((3, 2), (), (), (), ()),), "fixed": {1: _i([2, 4]), 2: _i(-1), 3: _i(-1), 4: 1}, "grad": False}

ROWS = [
    Row("MatrixDiagV2", _diag, **BEYOND),
    Row("MatrixDiagV3", _diag, attrs={"align": "RIGHT_LEFT"}, **BEYOND),
    *_rows(
        "MatrixDiag",
        (
            _diag,
            [
                _diag_case((4, 3), [-1, 2]),
                _diag_case((2, 3, 3), [-3, -1], 6, 3),
                _diag_case((3,), 0),
                _diag_case((2, 3), [1]),
                _diag_case((2, 3), -2, 5, -1),
                _diag_case((2, 3), [2, 2], -1, 7),
                _diag_case((2, 2), [2, 3]),
                _diag_case((2, 0), [0, 1]),
                _diag_case((2, 0), -3),
                _diag_case((0, 2), 1),
            ],
        ),
    ),
    *_rows(
        "MatrixDiagPart",
        (
            _part,
            [
                _part_case((3, 4), [-1, 2]),
                _part_case((2, 4, 3), [-3, 1]),
                _part_case((3, 3), 0),
                _part_case((2, 3, 4), [2]),
                _part_case((2, 3, 4), [-2, -2]),
                _part_case((2, 3, 5), [1, 4]),
                _part_case((2, 0, 3), [0, 2]),
                _part_case((3, 0), -1),
                _part_case((0, 3, 4), [-1, 1]),
            ],
        ),
    ),
    *_rows(
        "MatrixSetDiag",
        (
            _set,
            [
                _set_case((3, 4), (4, 3), [-1, 2]),
                _set_case((2, 4, 3), (2, 5, 3), [-3, 1]),
                _set_case((3, 3), (3,), 0),
                _set_case((2, 3, 4), (2, 2), [2]),
                _set_case((2, 3, 4), (2, 1), [-2, -2]),
                _set_case((2, 3, 5), (2, 4, 3), [1, 4]),
                _set_case((2, 0, 3), (2, 3, 0), [0, 2]),
                _set_case((0, 3, 4), (0, 3, 3), [-1, 1]),
            ],
        ),
    ),
]
