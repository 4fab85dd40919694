"""Rows of ops that parse and write bytes: raw numbers, compressed data, serialized tensors and SparseTensors, CSV."""

import zlib

import numpy as np
from op_table import ANY, Row, fixed_row, other_node

from tinytf._src import protos
from tinytf._src.framework.values import dtypes

_RAW = [bytes(range(1, 17)), bytes(16)]
_PADDED_TYPES = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16")
_RAW_TYPES = (*_PADDED_TYPES, "complex64", "complex128")


def _i(values, dtype=np.int64):
    return np.array(values, dtype)


def _written(array):
    """The array as a serialized TensorProto, whose values are bytes in memory order."""
    message = protos.TensorProto(dtype=dtypes.as_dtype(array.dtype).as_datatype_enum)
    for size in array.shape:
        message.tensor_shape.dim.add(size=size)
    if array.dtype == object:
        message.string_val.extend(array.reshape(-1).tolist())
    else:
        message.tensor_content = array.tobytes()
    return message.SerializeToString()


def _there_and_back(op, program):
    shapes, types = (((2, 3),), ((0,),), ((),)), (*ANY, "string")
    return Row(op, lambda x: x, shapes, types, grad=False, dynamic=True, has_loops=False, program=program)


def _sparse_and_back(op):
    """A SparseTensor of each type, as a message and read again."""
    return Row(
        op,
        lambda places, x, shape: (places, x, shape),
        (((), (2,), ()),),
        fixed={0: _SPARSE[0], 2: _SPARSE[2]},
        grad=False,
        dynamic=True,
        has_loops=False,
        program=lambda node, i, x, s: other_node(f"De{op[0].lower()}{op[1:]}", node(i, x, s), dtype=x.dtype),
    )


_SOME = np.array([[1, 2], [3, 4]], np.float32)
_TEXTS = np.array([b"ab", b""], object)
_SPARSE = [_i([[0, 1], [2, 0]]), np.array([1, 2], np.float32), _i([3, 2])]
_MESSAGES = np.array([_written(part) for part in _SPARSE], object)
_PARTS = [[_i([[1]]), _SPARSE[1][:1]], [_i([]).reshape(0, 1), _SPARSE[1][:0]], [_i([[0]]), _SPARSE[1][1:]]]
_MANY = np.array([[*map(_written, part), _written(_i([2]))] for part in _PARTS], object)
_TOGETHER = (_i([[0, 0, 1], [0, 2, 0], [1, 0, 1], [1, 2, 0]]), np.float32([1, 2, 1, 2]), _i([2, 3, 2]))
_F32 = {"dtype": dtypes.float32}

ROWS = [
    fixed_row(
        "DecodeRaw",
        [_RAW],
        tuple(np.array([np.frombuffer(text, t) for text in _RAW]) for t in _RAW_TYPES),
        more_types=_RAW_TYPES,
        program=lambda node, x: [node(x, out_type=t) for t in _RAW_TYPES],
        dynamic=True,
    ),
    fixed_row(
        "DecodeRaw",
        [_RAW],
        tuple(np.array([np.frombuffer(text, t).byteswap() for text in _RAW]) for t in _PADDED_TYPES),
        program=lambda node, x: [node(x, out_type=t, little_endian=False) for t in _PADDED_TYPES],
        dynamic=True,
    ),
    fixed_row(
        "DecodePaddedRaw",
        [[b"abcdefgh"], np.int32(8)],
        tuple(np.frombuffer(b"abcdefgh", t)[None] for t in _PADDED_TYPES),
        more_types=_PADDED_TYPES,
        program=lambda node, x, size: [node(x, size, out_type=t) for t in _PADDED_TYPES],
    ),
    fixed_row("DecodePaddedRaw", [[b"ab", b""], np.int32(3)], np.uint8([[97, 98, 0], [0] * 3]), {"out_type": "uint8"}),
    fixed_row("DecodeCompressed", [[zlib.compress(b"abc")]], [b"abc"], {"compression_type": "ZLIB"}),
    fixed_row("DecodeCompressed", [_TEXTS], _TEXTS),
    _there_and_back("SerializeTensor", lambda node, x: other_node("ParseTensor", node(x), out_type=x.dtype)),
    _there_and_back("ParseTensor", lambda node, x: node(other_node("SerializeTensor", x), out_type=x.dtype)),
    fixed_row("SerializeTensor", [_SOME], _written(_SOME)),
    fixed_row("SerializeTensor", [np.array([b"ab"], object)], _written(_TEXTS[:1])),
    fixed_row("ParseTensor", [_written(_TEXTS)], _TEXTS, {"out_type": "string"}, dynamic=True),
    _sparse_and_back("SerializeSparse"),
    _sparse_and_back("SerializeManySparse"),
    fixed_row("SerializeSparse", _SPARSE, _MESSAGES),
    fixed_row("SerializeManySparse", _SPARSE, _MANY, dynamic=True),
    fixed_row("DeserializeSparse", [np.array([_MESSAGES] * 2)], _TOGETHER, _F32, dynamic=True),
    fixed_row("DeserializeManySparse", [np.array([_MESSAGES] * 2)], _TOGETHER, _F32, dynamic=True),
    fixed_row(
        "DecodeCSV",
        [[b'1,"a,b",2.5', b"7,,"], (np.int32(0), np.array([b"x"], object), np.float32([0.5]))],
        (_i([1, 7], np.int32), np.array([b"a,b", b"x"], object), np.float32([2.5, 0.5])),
    ),
    fixed_row(
        "DecodeCSV",
        [[b"1;2;3", b"4;NA;6"], (_i([9]), _i([5]))],
        (_i([2, 9]), _i([3, 6])),
        {"field_delim": ";", "na_value": "NA", "select_cols": [1, 2]},
    ),
]
