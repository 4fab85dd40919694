"""MatrixDiagV2, V3 and similar ops: errors for mismatched bands, and partially known shapes. rows_diag.py tests the
values.
"""

import contextlib

import numpy as np
import pytest

import tinytf as tf

A = np.arange(12, dtype=np.float32).reshape(3, 4)
_DIAG, _PART, _SET = "MatrixDiag", "MatrixDiagPart", "MatrixSetDiag"


def _call(op, arguments):
    names = {
        _DIAG: ["diagonal", "k", "num_rows", "num_cols", "padding_value"],
        _PART: ["input", "k", "padding_value"],
        _SET: ["input", "diagonal", "k"],
    }
    return getattr(tf.raw_ops, op + "V2")(**dict(zip(names[op], arguments, strict=True)))


def _given(values):
    ints = {"k", "rows", "cols"}
    return [np.asarray(v, np.int32 if name in ints else np.float32) for name, v in values.items()]


def _diag(diagonal, k, rows=-1, cols=-1, padding=0):
    return _DIAG, _given({"d": diagonal, "k": k, "rows": rows, "cols": cols, "p": padding})


def _part(x, k, padding=0):
    return _PART, _given({"x": x, "k": k, "p": padding})


def _set(x, diagonal, k):
    return _SET, _given({"x": x, "d": diagonal, "k": k})


@pytest.mark.parametrize(
    ("call", "built", "run"),
    [
        (_diag(1, 0), "at least rank 1 but is rank 0", "diagonal must be at least 1-dim"),
        (_diag([1, 2], [[0]]), "at most rank 1 but is rank 2", "diag_index must be a scalar or vector"),
        (_diag([1, 2], [0, 1, 2]), "one or two elements. It has 3", "one or two elements, received 3"),
        (_diag([1, 2], []), "one or two elements. It has 0", "one or two elements, received 0"),
        (
            _diag([[1], [2]], [1, 0]),
            "lower_diag_index is greater than upper",
            "must not be larger than upper_diag_index: 1 > 0",
        ),
        (_diag([1, 2], [0, 1]), "at least rank 2 but is rank 1", "number of diagonals provided in the input"),
        (
            _diag([[1, 2], [3, 4]], [0, 2]),
            "doesn't match the number of diagonals",
            "number of diagonals provided in the input",
        ),
        (_diag([1, 2], 0, [3]), "must be rank 0", "num_rows must be a scalar"),
        (_diag([1, 2], 0, -1, [3]), "must be rank 0", "num_cols must be a scalar"),
        (_diag([1, 2], 0, -1, -1, [3]), "must be rank 0", "padding_value must be a scalar"),
        (_diag([1, 2], 1, 1), "num_rows is too small", "number of rows is too small"),
        (_diag([1, 2], 1, 2, 1), "num_cols is too small", "number of columns is too small"),
        (_diag([1, 2], 0, -5), "num_rows is too small", "number of rows is too small"),
        (_diag([1, 2], 0, 3, 3), "num_rows and num_cols are not consistent", "rows or columns is not consistent"),
        (_part([1, 2], 0), "at least rank 2 but is rank 1", "input must be at least 2-dim"),
        (
            _part(A, 4),
            "lower_diag_index is out of bound",
            "lower_diag_index is out of bound: 4. It must be between -3 and 4",
        ),
        (_part(A, -3), "lower_diag_index is out of bound", "lower_diag_index is out of bound: -3"),
        (_part(A, [1, 4]), "upper_diag_index is out of bound", "upper_diag_index is out of bound: 4"),
        (_part(A, [0, 2**31 - 1]), "upper_diag_index is out of bound", "upper_diag_index is out of bound: 2147483647"),
        (_part(A, [-(2**31), 0]), "lower_diag_index is out of bound", "lower_diag_index is out of bound: -2147483648"),
        (_part(A, [1, 0]), "lower_diag_index is greater than upper", "must not be larger than upper_diag_index: 1 > 0"),
        (
            _part(np.zeros((0, 3)), -1),
            "lower_diag_index is out of bound",
            "out of bound: -1. It must be between 0 and 3",
        ),
        (_part(A, 0, [1]), "must be rank 0", "padding_value must be a scalar"),
        (_set([1, 2], [1], 0), "at least rank 2 but is rank 1", "input must be at least 2-dim"),
        (_set(A, 1, 0), "at least rank 1 but is rank 0", "diagonal must be at least 1-dim"),
        (_set(A, [[1, 2, 3]], 0), "must be rank 1 but is rank 2", "first dimensions of diagonal"),
        (_set(A, [1, 2], 0), None, "first dimensions of diagonal"),
        (_set(A, [1], 4), "lower_diag_index is out of bound", "lower_diag_index is out of bound: 4"),
        (_set(A, [[1, 2, 3]] * 2, [-1, 1]), None, "number of diagonals provided in `diag`"),
        (_set(A, [1, 2, 3], [-1, 0]), "must be rank 2 but is rank 1", "number of diagonals provided in `diag`"),
    ],
)
def test_refused(call, built, run):
    """`built`: the error while the graph is built, where there is one, as in TensorFlow 1.15.5."""
    op, arrays = call
    with tf.Graph().as_default(), pytest.raises(ValueError, match=built) if built else contextlib.nullcontext():
        _call(op, [tf.constant(array) for array in arrays])
    with tf.Graph().as_default(), tf.Session() as sess:
        fed = [tf.placeholder(array.dtype) for array in arrays]
        y = _call(op, fed)
        with pytest.raises(tf.errors.InvalidArgumentError, match=run):
            sess.run(y, dict(zip(fed, arrays, strict=True)))
    with tf.EagerSession(), pytest.raises(tf.errors.InvalidArgumentError, match=run):
        _call(op, [tf.constant(array) for array in arrays])


@pytest.mark.parametrize(
    ("shape", "k", "sizes", "expected"),
    [
        (None, 0, (-1, -1), None),
        ([None, 4], None, (-1, -1), None),
        ([None], 0, (-1, -1), [None, None]),
        ([3, None], 0, (7, -1), [3, 7, None]),
        ([None, 4], 0, (-1, -1), [None, 4, 4]),
        ([None, 4], [1, 1], (-1, -1), [None, 5, 5]),
        ([None, 4], 1, (7, -1), [None, 7, 5]),
        ([2, 3, None], [-1, 1], (-1, -1), [2, None, None]),
        ([2, 3, None], [-1, 1], (7, -1), [2, 7, None]),
        ([2, None, 3], [-1, 1], (-1, -1), [2, 3, 3]),
        ([2, None, 3], [-1, 1], (None, -1), [2, None, None]),
        ([2, None, 3], [-1, 1], (None, 6), [2, None, 6]),
        ([None], 0, (7, 8), [7, 8]),
    ],
)
def test_known_sizes_of_matrix_diag(shape, k, sizes, expected):
    with tf.Graph().as_default():
        band, rows, cols = (tf.placeholder(tf.int32) if n is None else tf.constant(n) for n in (k, *sizes))
        made = _call(_DIAG, [tf.placeholder(tf.float32, shape), band, rows, cols, tf.constant(0.0)])
        assert made.shape.ndims == (None if expected is None else len(expected))
        assert expected is None or made.shape.as_list() == expected


@pytest.mark.parametrize(
    ("shape", "k", "expected"),
    [
        (None, 0, None),
        ([3, 4], None, None),
        ([3, None], 0, [None]),
        ([3, None], [-1, 1], [3, None]),
        ([3, None], 1, [None]),
        ([2, 3, 4], [-1, 2], [2, 4, 3]),
    ],
)
def test_known_sizes_of_matrix_diag_part(shape, k, expected):
    with tf.Graph().as_default():
        band = tf.placeholder(tf.int32) if k is None else tf.constant(k)
        made = _call(_PART, [tf.placeholder(tf.float32, shape), band, tf.constant(0.0)])
        assert made.shape.ndims == (None if expected is None else len(expected))
        assert expected is None or made.shape.as_list() == expected


@pytest.mark.parametrize(
    ("shape", "diagonal", "k", "expected"),
    [
        (None, None, 0, None),
        (None, [2, 3], 0, [2, None, None]),
        (None, [2, 3, None], [-1, 1], [2, None, None]),
        ([None, 3, 4], None, [-1, 1], [None, 3, 4]),
        ([None, None, 4], [2, 3], 0, [2, None, 4]),
        ([2, 3, 4], [None, None, None], [-1, 1], [2, 3, 4]),
        ([2, 3, 4], [2, 3], None, [2, 3, 4]),
    ],
)
def test_known_sizes_of_matrix_set_diag(shape, diagonal, k, expected):
    with tf.Graph().as_default():
        band = tf.placeholder(tf.int32) if k is None else tf.constant(k)
        made = _call(_SET, [tf.placeholder(tf.float32, shape), tf.placeholder(tf.float32, diagonal), band])
        assert made.shape.ndims == (None if expected is None else len(expected))
        assert expected is None or made.shape.as_list() == expected


@pytest.mark.parametrize(
    ("make", "op", "message"),
    [
        (lambda: tf.matrix_diag(A, k=1), "MatrixDiag", "matrix_diag ignores k=1"),
        (lambda: tf.matrix_diag(A, num_cols=9), "MatrixDiag", "ignores num_cols=9"),
        (lambda: tf.linalg.diag(A, padding_value=7.0), "MatrixDiag", "ignores padding_value=7.0"),
        (lambda: tf.matrix_diag_part(A, k=(-1, 1)), "MatrixDiagPart", r"matrix_diag_part ignores k=\(-1, 1\)"),
        (lambda: tf.linalg.set_diag(A, [1.0, 2, 3], k=1), "MatrixSetDiag", "matrix_set_diag ignores k=1"),
    ],
)
def test_wrappers_ignore_bands_as_1_15_does(make, op, message):
    with tf.Graph().as_default():
        with pytest.warns(UserWarning, match=message) as caught:
            made = make()
        assert made.op.type == op
        assert caught[0].filename == __file__


def test_wrappers_take_the_defaults_of_1_15(recwarn):
    with tf.Graph().as_default():
        assert tf.matrix_diag(A, "a", 0, -1, -1, 0.0).op.type == "MatrixDiag"
        assert tf.matrix_diag_part(A, "b", 0, False).op.type == "MatrixDiagPart"
        assert tf.matrix_set_diag(A, [1.0, 2, 3], "c", 0).op.type == "MatrixSetDiag"
    assert not recwarn.list
