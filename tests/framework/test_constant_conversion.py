"""Conversion of Python values to arrays."""

import warnings
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tinytf as tf
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_conversion import to_ndarray
from tinytf._src.framework.values.tensor_shape import Dimension


def check(array, dtype, value):
    assert array.dtype == np.dtype(dtype) and array.dtype.isnative
    assert array.shape == np.shape(value) and array.tolist() == value


class TestInference:
    @pytest.mark.parametrize(
        "value, dtype, expected",
        [
            (1.5, np.float32, 1.5),
            (7, np.int32, 7),
            (-(2**31), np.int32, -(2**31)),
            (2**31, np.int64, 2**31),
            (2**63, np.uint64, 2**63),
            (True, np.bool_, True),
            (1j, np.complex128, 1j),
            ([1, 2.5], np.float32, [1.0, 2.5]),
            ([True, 2], np.int32, [1, 2]),
            ([1, 2**40], np.int64, [1, 2**40]),
            ([[1], [2]], np.int32, [[1], [2]]),
            (((1.0, 2.0),), np.float32, [[1.0, 2.0]]),
            ([], np.float32, []),
            ([[], []], np.float32, [[], []]),
            ("é", object, "é".encode()),
            (b"a\0", object, b"a\0"),
            (["a", b"bc\0"], object, [b"a", b"bc\0"]),
            ([["a"], ["b"]], object, [[b"a"], [b"b"]]),
            (np.float64(2.0), np.float64, 2.0),
            (np.int64(2), np.int64, 2),
            (np.array([1.5]), np.float64, [1.5]),
            (np.array(["a", "é"]), object, [b"a", "é".encode()]),
            (np.array([b"a", b"b"]), object, [b"a", b"b"]),
            (np.array([1, 2], ">i4"), np.int32, [1, 2]),
            (np.array([1, 2], ml_dtypes.bfloat16), ml_dtypes.bfloat16, [1, 2]),
            ([np.float64(1), 2.0], np.float32, [1.0, 2.0]),
            ([np.float16(1)], np.float16, [1.0]),
            (bytearray(b"ab"), np.uint8, [97, 98]),
        ],
        ids=repr,
    )
    def test_inferred_type(self, value, dtype, expected):
        check(to_ndarray(value), dtype, expected)

    def test_arrays_are_not_copied(self):
        array = np.zeros((2, 3), np.float32)
        assert to_ndarray(array) is array and to_ndarray(array, dtypes.float32) is array
        assert to_ndarray(array, dtypes.float64).dtype == np.float64

    @pytest.mark.parametrize(
        "value, error, text",
        [
            (None, ValueError, "None values not supported."),
            ([[1], [2, 3]], ValueError,
             "Argument must be a dense tensor: [[1], [2, 3]] - got shape [2], but wanted [2, 1]."),
            (range(3), ValueError, "Argument must be a dense tensor: range(0, 3) - got shape [3], but wanted []."),
            (["a", ["b", "c"]], ValueError,
             "Argument must be a dense tensor: ['a', ['b', 'c']] - got shape [2], but wanted [2]."),
            ([None], TypeError, "Failed to convert object of type <class 'list'> to Tensor. Contents: [None]. "
                                "Consider casting elements to a supported type."),
            (["a", 1], TypeError, "Failed to convert object of type <class 'list'> to Tensor. Contents: ['a', 1]. "
                                  "Consider casting elements to a supported type."),
            (2**64, TypeError, f"Failed to convert object of type <class 'int'> to Tensor. Contents: {2**64}. "
                               "Consider casting elements to a supported type."),
            (np.array([1, "a"], object), TypeError, "Expected binary or unicode string, got 1"),
            (np.array(["2020"], "M8[D]"), TypeError, "Cannot convert value dtype('<M8[D]') to a TensorFlow DType."),
        ],
        ids=repr,
    )  # fmt: skip
    def test_errors(self, value, error, text):
        with pytest.raises(error) as info:
            to_ndarray(value)
        assert str(info.value) == text


class TestWantedType:
    @pytest.mark.parametrize(
        "value, dtype, expected",
        [
            (1, "float32", 1.0),
            (1, dtypes.float32_ref, 1.0),
            (True, dtypes.int32, 1),
            (300, dtypes.uint8, 44),
            (-1, dtypes.uint8, 255),
            ([2**40 + 3], dtypes.int32, [3]),
            (1, dtypes.complex64, 1 + 0j),
            ([1.5, 2], dtypes.float16, [1.5, 2.0]),
            ([1.5, 2], dtypes.bfloat16, [1.5, 2.0]),
            (np.array([1.7]), dtypes.int32, [1]),
            (np.float64(1.7), dtypes.int64, 1),
            (np.array(["1"]), dtypes.int32, [1]),
            (np.bool_(True), dtypes.float32, 1.0),
            ([np.int64(3)], dtypes.float64, [3.0]),
            (Dimension(3), dtypes.int32, 3),
            ([10, Dimension(20)], dtypes.int64, [10, 20]),
            ("x", dtypes.string, b"x"),
            (np.array("x"), dtypes.string, b"x"),
            ([], dtypes.int32, []),
            ([(1,), (2,)], dtypes.qint8, [(1,), (2,)]),
        ],
        ids=repr,
    )
    def test_converted(self, value, dtype, expected):
        array = to_ndarray(value, dtype)
        assert dtypes.as_dtype(array.dtype) is dtypes.as_dtype(dtype).base_dtype and array.tolist() == expected

    @pytest.mark.parametrize(
        "value, dtype, text",
        [
            ("abc", "float32", "Expected float32, got 'abc' of type 'str' instead."),
            (1.5, "int32", "Expected int32, got 1.5 of type 'float' instead."),
            ([1, [2, "x"]], "int32", "Expected int32, got 'x' of type 'str' instead."),
            (1, "bool", "Expected bool, got 1 of type 'int' instead."),
            (1, "string", "Expected string, got 1 of type 'int' instead."),
            (1j, "float64", "Expected float64, got 1j of type 'complex' instead."),
            ([1, None], "float32", "Expected float32, got None of type 'NoneType' instead."),
            (3, "qint8", "Expected qint8, got 3 of type 'int' instead."),
            ([3], "qint8", "Expected qint8, got 3 of type 'int' instead."),
            (5, "resource", "Incompatible types: <dtype: 'resource'> vs. int64. Value is 5"),
            (np.int64(5), "string", "Expected binary or unicode string, got 5"),
            (1, "no_type", "Cannot convert value 'no_type' to a TensorFlow DType."),
        ],
    )
    def test_elements_that_do_not_fit(self, value, dtype, text):
        with pytest.raises(TypeError) as info:
            to_ndarray(value, dtype)
        assert str(info.value) == text

    def test_ragged_lists(self):
        with pytest.raises(ValueError, match="setting an array element with a sequence"):
            to_ndarray([[1, 2], [3]], dtypes.int32)

    @given(st.recursive(st.floats(allow_nan=False, width=32) | st.integers(-9, 9), lambda x: st.lists(x, max_size=3)))
    def test_as_numpy_does_when_rectangular(self, value):
        try:
            expected = np.array(value, np.float32)
        except ValueError:
            with pytest.raises(ValueError):
                to_ndarray(value, dtypes.float32)
        else:
            np.testing.assert_array_equal(to_ndarray(value, dtypes.float32), expected)


class TestShape:
    @pytest.mark.parametrize(
        "value, shape, expected",
        [
            (7, [2, 2], [[7, 7], [7, 7]]),
            ([1, 2], [2, 2], [[1, 2], [2, 2]]),
            ([1, 2, 3, 4], (2, 2), [[1, 2], [3, 4]]),
            ([[1, 2], [3, 4]], [4], [1, 2, 3, 4]),
            ([], [2], [0.0, 0.0]),
            (1, [0, 3], []),
            ("a", [2], [b"a", b"a"]),
            (["a", "b"], [3], [b"a", b"b", b"b"]),
            ([], [], 0.0),
        ],
    )
    def test_filled_with_the_last_element(self, value, shape, expected):
        array = to_ndarray(value, shape=shape)
        assert array.shape == tuple(shape) and array.tolist() == expected

    def test_one_element_is_repeated_without_memory(self):
        assert to_ndarray(1.0, shape=[1000, 1000, 1000, 100]).strides == (0, 0, 0, 0)

    def test_broadcast_and_verify(self):
        assert to_ndarray([5], shape=[3], allow_broadcast=True).tolist() == [5, 5, 5]
        assert to_ndarray([1, 2], shape=[1, 2], allow_broadcast=True).tolist() == [[1, 2]]
        assert to_ndarray([1, 2], shape=[2], verify_shape=True).tolist() == [1, 2]
        for options in ({"allow_broadcast": True}, {"verify_shape": True}):
            with pytest.raises(TypeError) as info:
                to_ndarray([1, 2], shape=[2, 2], **options)
            assert str(info.value) == "Expected Tensor's shape: (2, 2), got (2,)."
        with pytest.raises(ValueError, match="allow_broadcast and verify_shape are not both allowed."):
            to_ndarray([1], shape=[1], allow_broadcast=True, verify_shape=True)

    def test_too_many(self):
        with pytest.raises(ValueError, match="^Too many elements provided. Needed at most 2, but received 3$"):
            to_ndarray([1, 2, 3], shape=[2])


BEYOND_HALF, BEYOND_FLOAT = 70000.0, 1e39
OVERFLOWS = {
    "half": lambda: tf.constant([BEYOND_HALF], tf.float16),
    "half scalar": lambda: tf.constant(BEYOND_HALF, tf.float16),
    "half of an array": lambda: tf.constant(np.full([2], BEYOND_HALF, np.float32), tf.float16),
    "half in lists": lambda: tf.constant([[BEYOND_HALF]], tf.float16),
    "half converted": lambda: tf.convert_to_tensor([BEYOND_HALF], tf.float16),
    "half operand": lambda: tf.ones([], tf.float16) * BEYOND_HALF,
    "float": lambda: tf.constant(BEYOND_FLOAT),
    "float list": lambda: tf.constant([1.0, BEYOND_FLOAT]),
    "long list": lambda: tf.constant([1.0] * 500 + [-BEYOND_FLOAT]),
    "list with an int": lambda: tf.constant([1, -BEYOND_FLOAT]),
    "list after no number": lambda: tf.constant([float("nan"), BEYOND_FLOAT]),
    "float in lists": lambda: tf.constant([[1.0], [BEYOND_FLOAT]]),
    "float of a type": lambda: tf.constant([BEYOND_FLOAT], tf.float32),
    "float scalar of a type": lambda: tf.constant(BEYOND_FLOAT, tf.float32),
    "float of an array": lambda: tf.constant(np.full([2], BEYOND_FLOAT), tf.float32),
    "float of a number of NumPy": lambda: tf.constant(np.float64(BEYOND_FLOAT), tf.float32),
    "float operand": lambda: tf.zeros([2]) + [BEYOND_FLOAT, 1.0],
    "float argument": lambda: tf.fill([2], BEYOND_FLOAT),
    "complex": lambda: tf.constant([BEYOND_FLOAT * 1j], tf.complex64),
}


def _numpy_tells_of_overflow():
    """Whether this NumPy warns of finite numbers that become infinite in a cast; before 1.24 it does not."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        np.array([BEYOND_FLOAT]).astype(np.float32)
    return bool(told)


@pytest.mark.parametrize("case", OVERFLOWS)
def test_overflow_is_of_the_users_line(case):
    lines = Path(__file__).read_text().splitlines()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        OVERFLOWS[case]()
    assert len(told) == (1 if _numpy_tells_of_overflow() else 0)
    for warning in told:
        assert warning.category is RuntimeWarning and str(warning.message) == "overflow encountered in cast"
        assert warning.filename == __file__ and f'"{case}": lambda' in lines[warning.lineno - 1]


@pytest.mark.parametrize(
    "value", [3.4028234e38, [3.4028235e38, 1.0], [float("inf"), float("nan")], float("-inf"), [[1e38]]]
)
def test_what_a_float_holds_is_no_overflow(value):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(to_ndarray(value), np.array(value, np.float32))
