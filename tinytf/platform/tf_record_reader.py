"""Reads files of records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tinytf._core import RecordReader
from tinytf.exports import tf_export
from tinytf.platform.local_path import encoded
from tinytf.platform.tf_record_options import TFRecordOptions


@tf_export("io.tf_record_iterator", "python_io.tf_record_iterator")
def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """Yields the records of a file, compressed as `options` say. DataLossError where the file is damaged, or ends inside a
    record; one that ends inside a record's first 12 bytes just ends there."""
    kind = TFRecordOptions.get_compression_type_string(options)
    reader = RecordReader(encoded(path), kind)
    while records := reader.read():
        yield from records
