"""Reads record files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tinytf._core import RecordReader
from tinytf._src.exports import tf_export
from tinytf._src.platform.local_path import encoded
from tinytf._src.platform.tf_record_options import TFRecordOptions


@tf_export("io.tf_record_iterator", "python_io.tf_record_iterator")
def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """Iterates over the records of a file.

    A file that ends inside the first 12 bytes of a record ends the iteration without an error.

    Args:
      path: str, bytes or path of the file.
      options: TFRecordOptions, or a compression type or name; None means no compression.

    Yields:
      bytes, one record each.

    Raises:
      ValueError: for an unknown compression.

    Example:
      for record in tf.python_io.tf_record_iterator("data.tfrecord"):
        example = tf.train.Example.FromString(record)
    """
    kind = TFRecordOptions.get_compression_type_string(options)
    reader = RecordReader(encoded(path), kind)
    while records := reader.read():
        yield from records
