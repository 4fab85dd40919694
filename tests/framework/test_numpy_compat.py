"""Conversions that differ in NumPy 1 raise the same errors with every NumPy version."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.values import numpy_compat

_ALL = [numpy_compat.array_of, numpy_compat.asarray_of, numpy_compat._array_before_2, numpy_compat._asarray_before_2]


@pytest.mark.parametrize("make", _ALL)
class TestMakers:
    @pytest.mark.parametrize("value", [300, -1, [1, 256], 2**40, 2**63, 2**70, [2**64, 1]])
    def test_ints_that_do_not_fit(self, make, value):
        with pytest.raises(OverflowError):
            make(value, np.uint8)

    @pytest.mark.parametrize(
        "dtype, value",
        [(np.uint8, [0, 255]), (np.int64, [-(2**63), 2**63 - 1]), (np.uint64, [0, 2**64 - 1]), (np.int32, [[1], [2]])],
    )
    def test_ints_that_fit(self, make, dtype, value):
        array = make(value, dtype)
        assert array.dtype == dtype and array.tolist() == value

    def test_ragged_lists(self, make):
        for dtype in (None, np.float32, np.int32):
            with pytest.raises(ValueError, match="setting an array element with a sequence"):
                make([[1], [2, 3]], dtype)

    def test_what_is_no_list_of_ints(self, make):
        assert make([1.5, 2], np.float32).tolist() == [1.5, 2]
        assert make([True, 3], np.int32).tolist() == [1, 3]
        assert make(np.array([300]), np.int64).tolist() == [300]
        with pytest.raises(ValueError, match="NaN"):
            make([float("nan")], np.int32)


def test_large_ints_are_int64():
    assert tf.constant([1, 2**40]).dtype == tf.int64
    with tf.Session() as sess:
        assert sess.run(tf.constant([1, 2**40])).tolist() == [1, 2**40]
