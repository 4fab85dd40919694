"""DTypes: names, enum values, predicates, limits and conversions."""

import copy
import os
import pickle
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

from tinytf._src.framework.values import dtypes

VALUE_TYPES = [dtypes.DType(n) for n in range(1, 24)]
ALL_TYPES = VALUE_TYPES + [t._as_ref for t in VALUE_TYPES]


@pytest.mark.parametrize("dtype", ALL_TYPES, ids=repr)
def test_interned_under_number_name_and_singleton(dtype):
    assert getattr(dtypes, dtype.name) is dtype
    assert dtypes.as_dtype(dtype.name) is dtype
    assert dtypes.as_dtype(dtype.as_datatype_enum) is dtype
    assert dtypes.DType(dtype.as_datatype_enum) is dtype
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert copy.deepcopy(dtype) is dtype
    assert hash(dtype) == dtype.as_datatype_enum


@pytest.mark.parametrize("dtype", VALUE_TYPES, ids=repr)
def test_references(dtype):
    ref = dtype._as_ref
    assert ref.name == dtype.name + "_ref" and ref.as_datatype_enum == dtype.as_datatype_enum + 100
    assert ref._is_ref_dtype and ref.is_ref_dtype and not dtype._is_ref_dtype
    assert ref.base_dtype is dtype and dtype.base_dtype is dtype and ref._as_ref is ref
    assert dtype.is_compatible_with(ref) and dtype.is_compatible_with(dtype)
    assert not ref.is_compatible_with(dtype)
    assert ref != dtype
    for name in ("is_floating", "is_integer", "is_complex", "is_bool", "is_quantized", "is_numpy_compatible", "size"):
        assert getattr(ref, name) == getattr(dtype, name), name


@pytest.mark.parametrize("dtype", [t for t in VALUE_TYPES if t.is_numpy_compatible], ids=repr)
def test_numpy_round_trip(dtype):
    numpy_type = dtype.as_numpy_dtype
    assert dtypes.as_dtype(numpy_type) is dtype
    assert dtypes.as_dtype(np.dtype(numpy_type)) is dtype
    assert dtypes.as_dtype(np.zeros(1, numpy_type).dtype) is dtype
    assert dtype == numpy_type


def test_repr_and_str():
    assert repr(dtypes.float32) == "tf.float32"
    assert str(dtypes.float32) == "<dtype: 'float32'>"
    assert str(dtypes.int64_ref) == "<dtype: 'int64_ref'>"


@pytest.mark.parametrize(
    "value, dtype",
    [
        ("float", dtypes.float32),
        ("double", dtypes.float64),
        ("half", dtypes.float16),
        ("float_ref", dtypes.float32_ref),
        (float, dtypes.float32),
        (bool, dtypes.bool),
        (object, dtypes.string),
        (np.dtype("U7"), dtypes.string),
        (np.dtype("S3"), dtypes.string),
        (np.str_, dtypes.string),
        (np.dtype(">f4"), dtypes.float32),
        (np.longlong, dtypes.int64),
        (np.dtype(int), dtypes.int64),
        (ml_dtypes.bfloat16, dtypes.bfloat16),
    ],
    ids=repr,
)
def test_as_dtype(value, dtype):
    assert dtypes.as_dtype(value) is dtype


@pytest.mark.parametrize(
    "value",
    [None, int, str, complex, bytes, "int", "<i4", 0, 29, 129, -1, [1], {}, np.datetime64, np.dtype("V3"), "float33"],
)
def test_what_is_no_dtype(value):
    with pytest.raises(TypeError) as error:
        dtypes.as_dtype(value)
    assert str(error.value) == f"Cannot convert value {value!r} to a TensorFlow DType."
    assert dtypes.float32 != value


def test_no_dtype_of_that_number():
    with pytest.raises(TypeError, match="type_enum is not a valid types_pb2.DataType: 0"):
        dtypes.DType(0)


def test_equality_with_what_converts():
    assert dtypes.float32 == "float32" and dtypes.float32 == np.float32 and dtypes.float32 == 1
    assert not dtypes.float32 == dtypes.float64 and dtypes.float32 != "float64"
    assert {dtypes.float32: 1}[dtypes.float32] == 1


def test_predicates():
    def names(predicate):
        return {t.name for t in VALUE_TYPES if getattr(t, predicate)}

    assert names("is_floating") == {"float16", "bfloat16", "float32", "float64"}
    assert names("is_integer") == {f"{u}int{n}" for u in ("", "u") for n in (8, 16, 32, 64)}
    assert names("is_unsigned") == {f"uint{n}" for n in (8, 16, 32, 64)}
    assert names("is_complex") == {"complex64", "complex128"}
    assert names("is_bool") == {"bool"}
    assert names("is_quantized") == {"qint8", "quint8", "qint16", "quint16", "qint32"}
    assert {t for t in ALL_TYPES if t.is_quantized} == dtypes.QUANTIZED_DTYPES
    assert {t.name for t in VALUE_TYPES} - names("is_numpy_compatible") == {"resource", "variant"}


def test_real_dtype():
    assert dtypes.complex64.real_dtype is dtypes.float32
    assert dtypes.complex128_ref.real_dtype is dtypes.float64
    assert dtypes.int32_ref.real_dtype is dtypes.int32_ref


def test_min_and_max():
    assert (dtypes.int8.min, dtypes.int8.max) == (-128, 127)
    assert dtypes.uint64.max == 2**64 - 1
    assert dtypes.float32.max == np.finfo(np.float32).max
    assert dtypes.float16_ref.min == -65504
    assert float(dtypes.bfloat16.max) == float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)
    assert dtypes.bfloat16.min == ml_dtypes.finfo(ml_dtypes.bfloat16).min
    for dtype in (dtypes.string, dtypes.bool, dtypes.complex64, dtypes.qint8, dtypes.resource):
        with pytest.raises(TypeError, match=f"Cannot find minimum value of <dtype: '{dtype.name}'>."):
            _ = dtype.min
        with pytest.raises(TypeError, match="Cannot find maximum value of"):
            _ = dtype.max


def test_limits_of_images():
    assert dtypes.uint8.limits == (0, 255) and dtypes.int16.limits == (0, 32767)
    assert dtypes.float32.limits == (0, 1) and dtypes.bool.limits == (0, True)
    with pytest.raises(KeyError):
        _ = dtypes.string.limits


def test_size():
    assert {t.name: t.size for t in VALUE_TYPES if t.size != 1} == {
        **dict.fromkeys(["float32", "int32", "uint32", "qint32"], 4),
        **dict.fromkeys(["float64", "int64", "uint64", "complex64", "string"], 8),
        **dict.fromkeys(["float16", "bfloat16", "int16", "uint16", "qint16", "quint16"], 2),
        "complex128": 16,
    }


def test_types_numpy_does_not_have():
    for dtype in (dtypes.resource, dtypes.variant_ref):
        with pytest.raises(KeyError, match="has no NumPy type"):
            _ = dtype.as_numpy_dtype


def test_ml_dtypes_is_loaded_only_for_bfloat16():
    program = (
        "import sys, numpy; from tinytf._src.framework.values import dtypes, tensor_shape;"
        "from tinytf._src.framework.errors import errors_impl; from tinytf._src.framework.graph import device;"
        "assert 'ml_dtypes' not in sys.modules and 'google.protobuf' not in sys.modules;"
        "dtypes.as_dtype('bfloat16'); assert dtypes.bfloat16.size == 2; assert 'ml_dtypes' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=os.path.dirname(__file__))  # the installed package
