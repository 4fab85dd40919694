"""Indices, sizes and axes give the same result with both integer dtypes, unless one of them has no kernel."""

import numpy as np
import pytest
from op_table import _apply, all_rows, inputs_of, is_executable

import tinytf as tf
from tinytf import _core

OTHER = {np.dtype(np.int32): np.dtype(np.int64), np.dtype(np.int64): np.dtype(np.int32)}


def _places(row):
    """For each type attr whose inputs are all fixed int32 or int64 arrays: the numbers of these inputs."""
    places = {}
    for i, argument in enumerate(_core.op_def(row.op)["inputs"]):
        places.setdefault(argument[2], []).append(i)
    for attr, numbers in places.items():
        given = [row.fixed.get(i) for i in numbers]
        if attr and all(isinstance(array, np.ndarray) and array.dtype in OTHER for array in given):
            yield attr, numbers


def _values(row, inputs):
    return [output.numpy() for output in _apply(row, inputs)]


CASES = [
    pytest.param(row, numbers, id=f"{name}-{attr}")
    for name, row in all_rows()
    if is_executable(row) and row.program is None and not _core.op_def(row.op)["is_stateful"]
    for attr, numbers in _places(row)
]


@pytest.mark.parametrize(("row", "numbers"), CASES)
def test_either_type(row, numbers):
    dtype, shapes = row.cases()[0]
    inputs = inputs_of(row, dtype, shapes)
    flipped = [array.astype(OTHER[array.dtype]) if i in numbers else array for i, array in enumerate(inputs)]
    with tf.EagerSession():
        expected = _values(row, inputs)
        try:
            got = _values(row, flipped)
        except (tf.errors.InvalidArgumentError, tf.errors.NotFoundError, TypeError) as error:
            assert "No OpKernel" in str(error) or "not in the list of allowed values" in str(error)
            return
    for x, y in zip(got, expected, strict=True):
        np.testing.assert_array_equal(x, y)
