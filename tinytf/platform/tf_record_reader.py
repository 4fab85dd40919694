"""Reads files of records. Files may be damaged or hostile: what a record says of its length is believed only as far as the
file goes, and memory is taken piece by piece."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework import errors_impl
from tinytf.platform.local_path import errors_about, local
from tinytf.platform.tf_record_format import CHECKSUM, HEADER, LENGTH, masked_crc
from tinytf.platform.tf_record_options import TFRecordOptions

_PIECE = 1 << 20  # bytes that are read at a time
_INPUT = 1 << 18  # compressed bytes that are read at a time
_LONGEST = (1 << 64) - 1 - CHECKSUM.size
_WINDOW_BITS = {"ZLIB": zlib.MAX_WBITS, "GZIP": zlib.MAX_WBITS + 16}
_ZLIB_TEXT = re.compile(r"Error (-?\d+) while decompressing data(?:: (.*))?")


@tf_export("io.tf_record_iterator", "python_io.tf_record_iterator")
def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """Yields the records of a file, compressed as `options` say. DataLossError where the file is damaged, or ends inside a
    record; one that ends inside a record's first 12 bytes just ends there."""
    kind = TFRecordOptions.get_compression_type_string(options)
    name = local(path)
    with errors_about(path):
        file = open(name, "rb")
    with file:
        read = _Inflated(file, kind).read if kind else file.read
        yield from _records(lambda size: _read(read, size, path))


def _records(read: Callable[[int], bytes]) -> Iterator[bytes]:
    offset = 0
    while len(start := read(HEADER.size)) == HEADER.size:
        length, checksum = HEADER.unpack(start)
        if masked_crc(start[: LENGTH.size]) != checksum:
            raise errors_impl.DataLossError(None, None, f"corrupted record at {offset}")
        if length >= _LONGEST:
            raise errors_impl.DataLossError(None, None, "record size too large")
        data = read(length + CHECKSUM.size)
        if len(data) < length + CHECKSUM.size:
            raise errors_impl.DataLossError(None, None, f"truncated record at {offset}")
        record = data[:length]
        if CHECKSUM.unpack_from(data, length)[0] != masked_crc(record):
            raise errors_impl.DataLossError(None, None, f"corrupted record at {offset + HEADER.size}")
        yield record
        offset += HEADER.size + len(data)


def _read(read: Callable[[int], bytes], size: int, path: Any) -> bytes:
    """`size` bytes, or all that are left."""
    with errors_about(path):
        data = read(min(size, _PIECE))
        if len(data) == size or not data:
            return data
        pieces, missing = [data], size - len(data)
        while missing and (data := read(min(missing, _PIECE))):
            pieces.append(data)
            missing -= len(data)
    return b"".join(pieces)


class _Inflated:
    """What a compressed file holds. As in TensorFlow, whatever follows the first compressed stream does not count."""

    def __init__(self, file: io.BufferedReader, kind: str) -> None:
        self._file = file
        self._decompressor = zlib.decompressobj(_WINDOW_BITS[kind])
        self._ready = b""
        self._at = 0

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; none at the end. DataLossError if zlib cannot read the file."""
        while self._at == len(self._ready):
            if not self._fill():
                return b""
        piece = self._ready[self._at : self._at + size]
        self._at += len(piece)
        return piece

    def _fill(self) -> bool:
        if self._decompressor.eof:
            return False
        data = self._decompressor.unconsumed_tail or self._file.read(_INPUT)
        try:
            self._ready, self._at = self._decompressor.decompress(data, _PIECE), 0
        except zlib.error as error:
            match = _ZLIB_TEXT.fullmatch(str(error))
            text = f"inflate() failed with error {match[1]}: {match[2]}" if match else str(error)
            raise errors_impl.DataLossError(None, None, text) from None
        return bool(data or self._ready)  # zlib may keep output back until there is no more input
