"""Writes files of records."""

from __future__ import annotations

import io
import zlib
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework import errors_impl
from tinytf.platform.local_path import errors_about, local
from tinytf.platform.tf_record_format import CHECKSUM, header, masked_crc
from tinytf.platform.tf_record_options import TFRecordOptions

_GZIP = 16  # added to the bits of zlib's window
_MEM_LEVEL = 9


@tf_export("io.TFRecordWriter", "python_io.TFRecordWriter")
class TFRecordWriter:
    """Makes or replaces a file and writes records to it. To be closed, by `close` or at the end of its block.

    `options` is a TFRecordOptions, or the number or name of a compression. For one thread at a time.
    """

    def __init__(self, path: Any, options: Any = None) -> None:
        self._file: io.BufferedWriter | None = None
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(compression_type=options)
        self._compressor = _compressor(options)
        self._flush_mode = options.flush_mode or 0
        self._path = path
        name = local(path)
        with errors_about(path):
            self._file = open(name, "wb")

    def _open_file(self) -> io.BufferedWriter:
        if self._file is None:
            raise errors_impl.FailedPreconditionError(None, None, "Writer not initialized or previously closed")
        return self._file

    def write(self, record: bytes) -> None:
        """Appends a record. TypeError if it is not bytes."""
        if not isinstance(record, bytes):
            raise TypeError(f"expected bytes, {type(record).__name__} found")
        file = self._open_file()
        data = b"".join((header(len(record)), record, CHECKSUM.pack(masked_crc(record))))
        with errors_about(self._path):
            file.write(self._compressor.compress(data) if self._compressor else data)

    def flush(self) -> None:
        """Hands what was written to the system; of compressed files only what the options' flush mode lets out."""
        file = self._open_file()
        with errors_about(self._path):
            if self._compressor and self._flush_mode:
                file.write(self._compressor.flush(self._flush_mode))
            file.flush()

    def close(self) -> None:
        """Completes the file. Nothing happens if it is closed."""
        file, self._file = self._file, None
        if file is None:
            return
        with errors_about(self._path), file:
            if self._compressor:
                file.write(self._compressor.flush())

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, unused_type: Any, unused_value: Any, unused_traceback: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


def _compressor(options: TFRecordOptions) -> Any:
    """zlib's, or None where nothing is compressed. InvalidArgumentError for options that zlib does not know."""
    kind = TFRecordOptions.get_compression_type_string(options)
    if not kind:
        return None
    window_bits = zlib.MAX_WBITS + (_GZIP if kind == "GZIP" else 0)
    chosen: Any = (
        (options.compression_level, zlib.Z_DEFAULT_COMPRESSION),
        (options.compression_method, zlib.DEFLATED),
        (options.window_bits, window_bits),
        (options.mem_level, _MEM_LEVEL),
        (options.compression_strategy, zlib.Z_DEFAULT_STRATEGY),
    )
    try:
        return zlib.compressobj(*(default if value is None else value for value, default in chosen))
    except ValueError as error:
        raise errors_impl.InvalidArgumentError(None, None, f"zlib does not take these options: {error}") from None
