"""Rows of datasets of files, and of other sources than tensors and ranges."""

import gzip
import sqlite3
import zlib
from base64 import b64decode

import numpy as np
from data_nodes import F32, I64, TEXT, UNKNOWN, text
from data_table import DatasetRow, Node

from tinytf._src.framework.errors.errors import DataLossError, InvalidArgumentError, NotFoundError
from tinytf._src.framework.values import dtypes

_TEXTS = (TEXT,)
_LINES = b"one\n\r\nthree\nfour"
_RECORDS = b64decode("AwAAAAAAAACwmUkOb25lAUBVCAAAAAAAAAAAKQOYB9jqgqIFAAAAAAAAAOqyBD50aHJlZWAj+0U=")
_CSV = b'a,b,c\n1,"x,y",2.5\n,z,\n3,"a ""b""",7\n'


def _names(*names):
    return np.array([f"$D/{name}".encode() for name in names], object)


def _files(op, files, inputs, elements, *, types=_TEXTS, earlier=False, attrs=None, **more):
    """A row of a dataset of files of these names and contents, or of no file for None."""
    written = {name: content for name, content in files.items() if content is not None}
    made = Node(op, (_names(*files), *inputs), attrs or {}, types, ([],) * len(types), written)
    return DatasetRow(made, elements, UNKNOWN, other_names=(f"Experimental{op}",) if earlier else (), **more)


def _lines(elements, compression=b"", ends=True, **files):
    return _files("TextLineDataset", files, [text(compression), np.int64(0)], elements, ends=ends)


def _fixed(op, elements, sizes, compression=None, ends=True, **files):
    inputs = [*np.int64([*sizes, 0]), *([] if compression is None else [text(compression)])]
    return _files(op, files, inputs, elements, ends=ends)


def _records(elements, compression=b"", **files):
    return _files("TFRecordDataset", files, [text(compression), np.int64(0)], elements)


def _csv(elements, columns, defaults, types, *, header=True, compression=b"", **files):
    inputs = [
        text(compression), np.int64(100), np.array(header), text(b","), np.array(True), text(b""), np.int64(columns),
        defaults,
    ]  # fmt: skip
    return _files("CSVDataset", files, inputs, elements, types=types, earlier=True)


def _database():
    """The bytes of a database with one table of numbers and names."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (number INTEGER, name TEXT, size REAL)")
    connection.executemany("INSERT INTO t VALUES (?, ?, ?)", [(1, "a", 0.5), (2, "", 1.5), (3, "c", 2.5)])
    connection.commit()
    content = connection.serialize()
    connection.close()
    return content


def _sql(elements, query, types, *, driver=b"sqlite"):
    op = "SqlDataset"
    made = Node(
        op,
        (text(driver), text(b"$D/base"), text(query)),
        types=types,
        shapes=([],) * len(types),
        files={"base": _database()},
    )
    return DatasetRow(made, elements, UNKNOWN, other_names=(f"Experimental{op}",))


def _matching(elements, *patterns, **more):
    op = "MatchingFilesDataset"
    files = dict.fromkeys(("m1", "m2", "n1"), b"")
    made = Node(op, (_names(*patterns),), types=_TEXTS, shapes=([],), files=files)
    return DatasetRow(made, elements, UNKNOWN, other_names=(f"Experimental{op}",), **more)


def _rows_of_sparse(indices, values, shape, elements):
    indices, shape = np.int64(indices).reshape(-1, len(shape)), np.int64(shape)
    made = Node("SparseTensorSliceDataset", (indices, values, shape), types=(I64, F32, I64))
    return DatasetRow(made, elements, shape[0])


def _snapshot_files(folder, metadata, *elements, zipped=False):
    """The files of a snapshot of the range to 3: metadata, if there are some, and files with these elements."""
    record = b"\x10" + bytes(7) + b'\n\x0e\x08\t\x12\x00"\x08'
    files = {
        f"{folder}/{_GRAPH}/run/{number:08}.snapshot": b"".join(
            record + value.to_bytes(8, "little") for value in values
        )
        for number, values in enumerate(elements)
    }
    if zipped:
        files = {name: gzip.compress(content, mtime=0) for name, content in files.items()}
    if metadata is not None:
        message = b"\x12\x03run" + metadata
        files[f"{folder}/{_GRAPH}/snapshot.metadata"] = bytes([len(message)]) + bytes(7) + message
    return files


def _snapshot(elements, path, files, *, attrs=None, **more):
    made = Node("RangeDataset", tuple(np.int64([0, 3, 1])), shapes=([],))
    return DatasetRow(
        Node("SnapshotDataset", (made, path), attrs or {}, shapes=([],), files=files), elements, 3, **more
    )


def _read_snapshot(elements, folder, *contents, zipped=False, attrs=None, metadata=b"\xc0>\x01", **more):
    files = _snapshot_files(folder, metadata, *contents, zipped=zipped)
    return _snapshot(elements, text(b"$D/" + folder.encode()), files, attrs=attrs, **more)


_GRAPH = "49a742b6fd6b0a94"  # TensorFlow's name of the graph of the range
_NEW_PATH = Node(
    "StringJoin",
    (
        [
            text(b"$D/new_snapshot"),
            Node("AsString", (Node("RandomUniformInt", (np.zeros([0], np.int32), np.int64(0), np.int64(2**62))),)),
        ],
    ),
)

_PACKED = gzip.compress(b"1\n2\n", mtime=0)

_NONE = np.zeros([0])
_NUMBER, _WORD = np.zeros([0], np.int64), np.array([b"none"], object)

ROWS = [
    _lines((b"one", b"", b"three", b"four", b"2", b"3"), lines=_LINES, more=b"2\n3\n"),
    _lines((b"one", NotFoundError, NotFoundError), one=b"one\n", missing=None, ends=False),
    _lines((b"one", b"", b"three", b"four"), b"GZIP", lines__gz=gzip.compress(_LINES, mtime=0)),
    _fixed("FixedLengthRecordDataset", (b"abc", b"def", b"123"), (1, 3, 2), six=b"-abcdef..", three=b"-123.."),
    _fixed("FixedLengthRecordDataset", (InvalidArgumentError,) * 2, (1, 3, 2), ends=False, seven=b"-abcdefg.."),
    _fixed("FixedLengthRecordDatasetV2", (b"abc", b"def"), (1, 3, 2), b"", six=b"-abcdef.."),
    _fixed("FixedLengthRecordDatasetV2", (b"abc", b"def"), (1, 3, 2), b"ZLIB", six__z=zlib.compress(b"-abcdef..")),
    _records((b"one", b"", b"three", b"one", b"", b"three"), records=_RECORDS, again=_RECORDS),
    _records((b"one", b"", b"three"), b"GZIP", records__gz=gzip.compress(_RECORDS, mtime=0)),
    _records((b"one", b"", DataLossError, b"one", b"", b"three"), cut=_RECORDS[:50], records=_RECORDS),
    _csv(((1, b"x,y"), (-1, b"z"), (3, b'a "b"')), [0, 1], [np.int64([-1]), _WORD], (I64, TEXT), table=_CSV),
    _csv((1, InvalidArgumentError, 3), [0], [_NUMBER], (I64,), table=_CSV),
    _csv((2.5, 0, 7), [2], [np.float32([0])], (F32,), table=_CSV),
    _csv(
        (1, 2, 1, 2),
        [],
        [_NUMBER],
        (I64,),
        header=False,
        compression=b"GZIP",
        numbers__gz=_PACKED,
        again__gz=_PACKED,
    ),
    _sql(((1, b"a", 0.5), (2, b"", 1.5), (3, b"c", 2.5)), b"SELECT * FROM t", (I64, TEXT, dtypes.float64)),
    _sql((b"3", b"2"), b"SELECT number FROM t WHERE number > 1 ORDER BY number DESC", (TEXT,)),
    _matching((b"$D/n1", b"$D/m1", b"$D/m2"), "n1", "m?"),
    _matching((NotFoundError, NotFoundError), "nothing*", ends=False),
    _rows_of_sparse(
        [[0, 1], [2, 0], [2, 3]],
        np.float32([1, 2, 3]),
        [4, 5],
        (([[1]], [1], [5]), (_NONE, _NONE, [5]), ([[0], [3]], [2, 3], [5]), (_NONE, _NONE, [5])),
    ),
    _snapshot((0, 1, 2), _NEW_PATH, {}),
    _snapshot(
        (0, 1, 2),
        _NEW_PATH,
        {},
        attrs={"compression": "GZIP", "num_writer_threads": 2, "num_reader_threads": 2, "writer_buffer_size": 2},
    ),
    _read_snapshot((0, 1, 2), "begun", metadata=b"\x18" + b"\xff" * 8 + b"\x7f"),
    _read_snapshot((7, 8, 9), "written", [7, 8], [9]),
    _read_snapshot((7, 9, 8, 6), "by_two", [7, 8], [9], [6], attrs={"num_reader_threads": 2, "reader_buffer_size": 4}),
    _read_snapshot((7, 8, 9), "zipped", [7, 8], [9], zipped=True, attrs={"compression": "GZIP"}),
    _read_snapshot((DataLossError,) * 3, "damaged", metadata=b"\xff", ends=False),
    _rows_of_sparse([[1]], np.float32([1]), [2], ((_NONE, _NONE, _NONE), ([[]], [1], _NONE))),
]
