"""TensorProtos: fields, encoded bytes and conversion back to arrays."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tinytf._src import protos
from tinytf._src.framework.values import dtypes, tensor_util
from tinytf._src.framework.values.tensor_shape import TensorShape

FIELDS = {
    "float32": "float_val", "float64": "double_val", "int32": "int_val", "uint8": "int_val", "int16": "int_val",
    "int8": "int_val", "complex64": "scomplex_val", "int64": "int64_val", "bool": "bool_val", "uint16": "int_val",
    "complex128": "dcomplex_val", "float16": "half_val", "bfloat16": "half_val", "uint32": "uint32_val",
    "uint64": "uint64_val", "qint8": "int_val", "quint8": "int_val", "qint16": "int_val", "quint16": "int_val",
    "qint32": "int_val",
}  # fmt: skip


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3), (0, 4)])
def test_round_trip(name, shape):
    dtype = dtypes.as_dtype(name)
    numbers = np.arange(int(np.prod(shape))).reshape(shape)
    if dtype.is_quantized:
        array = numbers.astype(np.dtype(dtype.as_numpy_dtype)[0]).view(dtype.as_numpy_dtype).reshape(shape)
    else:
        array = numbers.astype(dtype.as_numpy_dtype)
    proto = tensor_util.make_tensor_proto(array)
    assert proto.dtype == dtype.as_datatype_enum and [d.size for d in proto.tensor_shape.dim] == list(shape)
    listed = name in ("bool", "float16", "bfloat16", "complex64", "complex128", "uint16") or array.size < 2
    assert len(proto.tensor_content) == (0 if listed else array.nbytes)
    assert len(getattr(proto, FIELDS[name])) == (array.size * (2 if dtype.is_complex else 1) if listed else 0)
    back = tensor_util.MakeNdarray(protos.TensorProto.FromString(proto.SerializeToString()))
    assert back.dtype == array.dtype and back.shape == shape and back.tobytes() == array.tobytes()


def test_strings():
    proto = tensor_util.make_tensor_proto([["a", b"b\0"], ["é", ""]])
    assert list(proto.string_val) == [b"a", b"b\0", "é".encode(), b""]
    assert tensor_util.MakeNdarray(proto).tolist() == [[b"a", b"b\0"], ["é".encode(), b""]]


def test_half_bits():
    assert list(tensor_util.make_tensor_proto(1.0, dtypes.float16).half_val) == [0x3C00]
    assert list(tensor_util.make_tensor_proto(ml_dtypes.bfloat16(1.0)).half_val) == [0x3F80]
    assert list(tensor_util.make_tensor_proto(1 + 2j, dtypes.complex64).scomplex_val) == [1.0, 2.0]


def test_what_is_missing_is_repeated_by_the_reader():
    proto = tensor_util.make_tensor_proto(7, shape=[100, 100])
    assert proto.ByteSize() < 30
    assert (tensor_util.MakeNdarray(proto) == np.full((100, 100), 7)).all()
    assert tensor_util.MakeNdarray(tensor_util.make_tensor_proto(["a", "b"], shape=[3])).tolist() == [b"a", b"b", b"b"]
    assert tensor_util.MakeNdarray(protos.TensorProto(dtype=1, tensor_shape={"dim": [{"size": 2}]})).tolist() == [0, 0]


def test_protos_pass_unchanged():
    proto = protos.TensorProto(dtype=3)
    assert tensor_util.make_tensor_proto(proto, dtype=dtypes.string) is proto


def test_errors():
    with pytest.raises(TypeError, match="Unsupported tensor type: 20"):
        tensor_util.MakeNdarray(protos.TensorProto(dtype=20))
    with pytest.raises(ValueError, match="Cannot create a tensor proto whose content is larger than 2GB."):
        tensor_util.make_tensor_proto(np.broadcast_to(np.int8(0), (2**31,)))
    with pytest.raises(ValueError, match="allow_broadcast and verify_shape are not both allowed."):
        tensor_util.make_tensor_proto(1, verify_shape=True, allow_broadcast=True)
    with pytest.raises(ValueError, match="Needed at most 1, but received 2"):
        tensor_util.make_tensor_proto([1, 2], shape=[1])


def test_shape_equals():
    proto = tensor_util.make_tensor_proto([[1, 2]])
    assert tensor_util.ShapeEquals(proto, [1, 2]) and tensor_util.ShapeEquals(proto, proto.tensor_shape)
    assert tensor_util.ShapeEquals(proto, TensorShape([1, 2])) and not tensor_util.ShapeEquals(proto, (2, 1))
    assert tensor_util.TensorShapeProtoToList(proto.tensor_shape) == [1, 2]
    with pytest.raises(TypeError, match="tensor_proto is not a tensor_pb2.TensorProto object"):
        tensor_util.ShapeEquals([1], [1])
    with pytest.raises(TypeError, match="shape is not a list or tuple"):
        tensor_util.ShapeEquals(proto, 3)


def _bits(array):
    """The bits of an array in row-major order, without the signs and payloads of NaNs, which protobuf's Python
    implementation drops.
    """
    flat = array.astype(array.dtype.newbyteorder("=")).ravel()
    if flat.dtype.kind in "fc":
        parts = flat.view(flat.real.dtype)
        parts[np.isnan(parts)] = np.nan
    return flat.tobytes()


@given(
    hnp.arrays(st.sampled_from(["f4", "i8", "u2", "c8", "?", "f2", ">i4"]), hnp.array_shapes(min_dims=0, min_side=0))
)
def test_any_array_round_trips(array):
    back = tensor_util.MakeNdarray(tensor_util.make_tensor_proto(np.asarray(array, order="F")))
    assert back.shape == array.shape and _bits(back) == _bits(array)


@pytest.mark.parametrize("dims", [None, [], [2, None], [None]])
def test_shapes_to_protos_and_back(dims):
    proto = TensorShape(dims).as_proto()
    assert repr(TensorShape(proto)) == repr(TensorShape(dims))
    assert proto.unknown_rank == (dims is None) and [d.size for d in proto.dim] == [
        -1 if d is None else d for d in dims or []
    ]
