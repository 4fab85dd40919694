"""Compression options of record files."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export


@tf_export("io.TFRecordCompressionType", "python_io.TFRecordCompressionType")
class TFRecordCompressionType:
    """Compression types of record files."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


@tf_export("io.TFRecordOptions", "python_io.TFRecordOptions")
class TFRecordOptions:
    """Compression of a record file and the settings of zlib for writing it.

    Args:
      compression_type: a TFRecordCompressionType, "ZLIB", "GZIP" or ""; None or "" means no compression.
      flush_mode: int, a Z_…_FLUSH constant of zlib, applied after each `input_buffer_size` bytes. None or 0 means no
        flush, which compresses best.
      input_buffer_size: int, bytes collected before they are compressed; None means 256 KiB.
      output_buffer_size: accepted without effect.
      window_bits: int, zlib's window size; None means the maximum.
      compression_level: int, zlib's level; None means zlib's default.
      compression_method: only None and `zlib.DEFLATED` are supported.
      mem_level: int, zlib's memory level; None means 9.
      compression_strategy: int, zlib's strategy; None means zlib's default.

    Raises:
      ValueError: for an unknown `compression_type`.
    """

    compression_type_map = {
        TFRecordCompressionType.ZLIB: "ZLIB",
        TFRecordCompressionType.GZIP: "GZIP",
        TFRecordCompressionType.NONE: "",
    }

    def __init__(
        self,
        compression_type: Any = None,
        flush_mode: int | None = None,
        input_buffer_size: int | None = None,
        output_buffer_size: int | None = None,
        window_bits: int | None = None,
        compression_level: int | None = None,
        compression_method: int | None = None,
        mem_level: int | None = None,
        compression_strategy: int | None = None,
    ) -> None:
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """The name of a compression: "ZLIB", "GZIP", or "" for none.

        Args:
          options: TFRecordOptions, TFRecordCompressionType, name of a compression, or None.

        Returns:
          str.

        Raises:
          ValueError: for an unknown compression.
        """
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        if not options:
            return ""
        if options in cls.compression_type_map:
            return cls.compression_type_map[options]
        if options in cls.compression_type_map.values():
            return options
        raise ValueError(f'Not a valid compression_type: "{options}"')
