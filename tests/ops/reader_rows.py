"""Rows of readers of files, of both generations."""

from base64 import b64decode

import numpy as np
from file_states import EarlyReader, Reader
from state_table import FileRow

_RECORDS = b64decode("AwAAAAAAAACwmUkOb25lAUBVCAMAAAAAAAAAsJlJDnR3b4mQyQkAAAAAAAAAACkDmAfY6oKi")  # one, two, nothing
_FIRST, _KEY = [1, b"two", b"three"], b"$D/f:1"
_NEW = [0, b"one", b"two", b"three"]
_NONE = ("NotFoundError", "; No such file or directory")
# The state of a reader that has read two records, as a message.
_STATE = b"\x08\x00\x10\x00\x18\x02"


def _kind(early, maker, records, content=None, **attrs):
    """A reader of another kind on a file with this content."""
    base = EarlyReader if early else Reader
    members = {"maker": maker if early else f"{maker}V2", "attrs": attrs, "all_records": records}
    return type(maker, (base,), {**members, "files": {"f": content} if content is not None else {}})


def _rows(kind, v2):
    new = _NEW
    yield FileRow(f"ReaderRead{v2}", kind, [], _FIRST, [_KEY, b"one"], missing=_NONE)
    yield FileRow(f"ReaderReadUpTo{v2}", kind, [np.int64(2)], [2, b"three"], [[_KEY, b"$D/f:2"], [b"one", b"two"]])
    yield FileRow(f"ReaderNumRecordsProduced{v2}", kind, [], new, [0])
    yield FileRow(f"ReaderNumWorkUnitsCompleted{v2}", kind, [], new, [0])
    yield FileRow(f"ReaderReset{v2}", kind, [], new)


def _kinds(early):
    read = "ReaderRead" if early else "ReaderReadV2"
    yield FileRow(read, _kind(early, "WholeFileReader", [b"ab"], b"ab"), [], [1], [b"$D/f", b"ab"], missing=_NONE)
    yield FileRow(
        read,
        _kind(early, "FixedLengthRecordReader", [b"ab", b"cd"], b"habcd", record_bytes=2, header_bytes=1),
        [],
        [1, b"cd"],
        [b"$D/f:0", b"ab"],
        missing=_NONE,
    )
    yield FileRow(read, _kind(early, "IdentityReader", [b"$D/f"]), [], [1], [b"$D/f", b"$D/f"])
    yield FileRow(
        read,
        _kind(early, "TFRecordReader", [b"one", b"two", b""], _RECORDS),
        [],
        [1, b"two", b""],
        [b"$D/f:0", b"one"],
        missing=_NONE,
    )
    v2, kind = "" if early else "V2", _kind(early, "IdentityReader", [b"$D/f"])
    yield FileRow(f"ReaderSerializeState{v2}", kind, [], [0, b"$D/f"], [b""])
    yield FileRow(f"ReaderRestoreState{v2}", kind, [_STATE], [2])


ROWS = [*_rows(EarlyReader, ""), *_rows(Reader, "V2"), *_kinds(True), *_kinds(False)]
