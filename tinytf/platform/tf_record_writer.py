"""Writes files of records."""

from __future__ import annotations

import zlib
from typing import Any

from tinytf._core import DeflateOptions, RecordWriter
from tinytf.exports import tf_export
from tinytf.framework import errors_impl
from tinytf.platform.local_path import encoded
from tinytf.platform.tf_record_options import TFRecordOptions

_MEM_LEVEL = 9
_BUFFER_BYTES = 1 << 18


@tf_export("io.TFRecordWriter", "python_io.TFRecordWriter")
class TFRecordWriter:
    """Makes or replaces a file and writes records to it. To be closed, by `close` or at the end of its block.

    `options` is a TFRecordOptions, or the number or name of a compression. For one thread at a time.
    """

    def __init__(self, path: Any, options: Any = None) -> None:
        self._writer: RecordWriter | None = None
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(compression_type=options)
        buffer_bytes = _BUFFER_BYTES if options.input_buffer_size is None else options.input_buffer_size
        if buffer_bytes < 0:
            text = f"input_buffer_size must not be negative: {buffer_bytes}"
            raise errors_impl.InvalidArgumentError(None, None, text)
        self._writer = RecordWriter(encoded(path), _deflate_options(options), buffer_bytes, options.flush_mode or 0)

    def _open_writer(self) -> RecordWriter:
        if self._writer is None:
            raise errors_impl.FailedPreconditionError(None, None, "Writer not initialized or previously closed")
        return self._writer

    def write(self, record: bytes) -> None:
        """Appends a record. TypeError if it is not bytes."""
        if not isinstance(record, bytes):
            raise TypeError(f"expected bytes, {type(record).__name__} found")
        self._open_writer().write(record)

    def flush(self) -> None:
        """Hands what was written to the system, so that it can be read; each time costs a compressed file some bytes."""
        self._open_writer().flush()

    def close(self) -> None:
        """Completes the file. Nothing happens if it is closed."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, unused_type: Any, unused_value: Any, unused_traceback: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


def _deflate_options(options: TFRecordOptions) -> DeflateOptions | None:
    """How zlib is to compress, or None where it is not. InvalidArgumentError for options that it does not know."""
    kind = TFRecordOptions.get_compression_type_string(options)
    if not kind:
        return None
    if options.compression_method not in (None, zlib.DEFLATED):
        raise errors_impl.InvalidArgumentError(
            None, None, f"zlib does not take these options: compression_method {options.compression_method}"
        )
    chosen: Any = (
        (options.compression_level, zlib.Z_DEFAULT_COMPRESSION),
        (options.window_bits, zlib.MAX_WBITS),
        (options.mem_level, _MEM_LEVEL),
        (options.compression_strategy, zlib.Z_DEFAULT_STRATEGY),
    )
    return DeflateOptions(kind, *(default if value is None else value for value, default in chosen))
