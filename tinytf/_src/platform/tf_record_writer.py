"""Writes record files."""

from __future__ import annotations

import zlib
from typing import Any

from tinytf._core import DeflateOptions, RecordWriter
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors import errors_impl
from tinytf._src.platform.local_path import encoded
from tinytf._src.platform.tf_record_options import TFRecordOptions

_MEM_LEVEL = 9
_BUFFER_BYTES = 1 << 18


@tf_export("io.TFRecordWriter", "python_io.TFRecordWriter")
class TFRecordWriter:
    """Creates or replaces a record file and writes records to it. Not thread-safe.

    Close it with `close` or use it in a `with` statement.

    Args:
      path: str, bytes or path of the file.
      options: TFRecordOptions, or a compression type or name; None means no compression.

    Raises:
      InvalidArgumentError: for a negative buffer size or settings that zlib does not support.
      ValueError: for an unknown compression.

    Example:
      with tf.python_io.TFRecordWriter("data.tfrecord") as writer:
        writer.write(example.SerializeToString())
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
        """Appends a record.

        Args:
          record: bytes.

        Raises:
          TypeError: if `record` is not bytes.
          FailedPreconditionError: if the writer is closed.
        """
        if not isinstance(record, bytes):
            raise TypeError(f"expected bytes, {type(record).__name__} found")
        self._open_writer().write(record)

    def flush(self) -> None:
        """Passes written data to the operating system, so that readers see it; each flush enlarges a compressed file a
        little. Raises FailedPreconditionError if the writer is closed."""
        self._open_writer().flush()

    def close(self) -> None:
        """Completes the file. Does nothing if it is closed already."""
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
    """zlib's settings, or None without compression. Raises InvalidArgumentError for an unsupported compression
    method."""
    kind = TFRecordOptions.get_compression_type_string(options)
    if not kind:
        return None
    if options.compression_method not in (None, zlib.DEFLATED):
        raise errors_impl.InvalidArgumentError(
            None, None, f"zlib does not support compression_method {options.compression_method}"
        )
    chosen: Any = (
        (options.compression_level, zlib.Z_DEFAULT_COMPRESSION),
        (options.window_bits, zlib.MAX_WBITS),
        (options.mem_level, _MEM_LEVEL),
        (options.compression_strategy, zlib.Z_DEFAULT_STRATEGY),
    )
    return DeflateOptions(kind, *(default if value is None else value for value, default in chosen))
