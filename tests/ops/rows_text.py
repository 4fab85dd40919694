"""Rows of ops on strings: parts, numbers, base64, and texts made of tensors."""

import numpy as np
from op_table import fixed_row

_WORDS = [b"a b  c", b"", b" d"]
_NUMBERS = [b"1", b" -7 ", b"120"]
_PARSED = ("float32", "float64", "int32", "int64")
_UMLAUTS = ["äbcdé".encode(), b"xyz12"]


def _i(values, dtype=np.int32):
    return np.array(values, dtype)


def _split(op, separator, attrs, indices, values, shape):
    outputs = (_i(indices, np.int64), np.array(values, object), _i(shape, np.int64))
    return fixed_row(op, [_WORDS, separator], outputs, attrs, dynamic=True)


_PLACES = [[0, 0], [0, 1], [0, 2], [2, 0]]

ROWS = [
    fixed_row("Substr", [[b"abcdef", b"ghijkl"], _i(-4), _i(2)], [b"cd", b"ij"]),
    fixed_row("Substr", [[b"abcdef", b"ghijkl"], _i([1, 6], np.int64), _i([9, 0], np.int64)], [b"bcdef", b""]),
    fixed_row(
        "Substr",
        [_UMLAUTS, _i([0, 3]), _i([2, 2])],
        ["äb".encode(), b"12"],
        {"unit": "UTF8_CHAR"},
        more_types=("int32", "int64"),
    ),
    _split("StringSplit", b" ", {}, _PLACES, [b"a", b"b", b"c", b"d"], [3, 3]),
    _split(
        "StringSplit",
        b" ",
        {"skip_empty": False},
        [[0, 0], [0, 1], [0, 2], [0, 3], [2, 0], [2, 1]],
        [b"a", b"b", b"", b"c", b"", b"d"],
        [3, 4],
    ),
    _split("StringSplitV2", b"", {}, _PLACES, [b"a", b"b", b"c", b"d"], [3, 3]),
    # After exactly `maxsplit` words the rest follows, even if it is empty.
    _split(
        "StringSplitV2",
        b"",
        {"maxsplit": 1},
        [*_PLACES[:2], [2, 0], [2, 1]],
        [b"a", b"b  c", b"d", b""],
        [3, 2],
    ),
    _split("StringSplitV2", b"", {"maxsplit": 2}, _PLACES, [b"a", b"b", b"c", b"d"], [3, 3]),
    _split(
        "StringSplitV2",
        b"",
        {"maxsplit": 3},
        [*_PLACES[:3], [0, 3], [2, 0]],
        [b"a", b"b", b"c", b"", b"d"],
        [3, 4],
    ),
    _split(
        "StringSplitV2",
        b" ",
        {"maxsplit": 1},
        [*_PLACES[:2], [1, 0], [2, 0], [2, 1]],
        [b"a", b"b  c", b"", b"", b"d"],
        [3, 2],
    ),
    fixed_row(
        "StringToNumber",
        [_NUMBERS],
        tuple(np.array([1, -7, 120], dtype) for dtype in _PARSED),
        more_types=_PARSED,
        program=lambda node, x: [node(x, out_type=dtype) for dtype in _PARSED],
    ),
    fixed_row("EncodeBase64", [[b"a", b"ab\xff", b""]], [b"YQ", b"YWL_", b""]),
    fixed_row("EncodeBase64", [[b"a", b"ab\xff", b""]], [b"YQ==", b"YWL_", b""], {"pad": True}),
    fixed_row("DecodeBase64", [[b"YQ", b"YWL_", b"", b"YQ=="]], [b"a", b"ab\xff", b"", b"a"]),
    fixed_row(
        "StringFormat",
        [(_i([[1, 2], [3, 4]]), np.float32(0.5), [b"a", b"b"])],
        b'x = [[1 2]\n [3 4]], 0.5, ["a" "b"]',
        {"template": "x = {}, {}, {}", "placeholder": "{}"},
        more_types=("float32",),
    ),
    fixed_row("ShardedFilename", [b"a/b", _i(3), _i(12)], b"a/b-00003-of-00012"),
    fixed_row("ShardedFilespec", [b"a/b", _i(12)], b"a/b-?????-of-00012"),
]
