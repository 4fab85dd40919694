"""Readers: objects that produce records from files whose names come from a queue."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.ops.data_flow.queue_base import QueueBase
from tinytf._src.platform.tf_record_options import TFRecordOptions


@tf_export("ReaderBase")
class ReaderBase:
    """Base class of readers, which produce records (pairs of key and value) from work units, usually file names.

    A reader takes the next work unit from a string queue when the previous one is finished. Its state is owned by the
    session.

    Args:
      reader_ref: tensor that refers to the reader.
      supports_serialize: bool, whether `serialize_state` and `restore_state` are supported.

    Raises:
      RuntimeError: in eager execution.
    """

    def __init__(self, reader_ref: Tensor, supports_serialize: bool = False) -> None:
        if executing_eagerly():
            raise RuntimeError(
                "Readers are not supported when eager execution is enabled. "
                "Instead, please use tf.data to get data into your model."
            )
        self._reader_ref = reader_ref
        self._supports_serialize = supports_serialize

    @property
    def reader_ref(self) -> Tensor:
        """The tensor that refers to the reader."""
        return self._reader_ref

    @property
    def supports_serialize(self) -> bool:
        """Whether the state can be serialized and restored; this applies to readers with one record per work unit."""
        return self._supports_serialize

    def read(self, queue: QueueBase | Tensor, name: str | None = None) -> NamedTuple:
        """Returns the next record, waiting for a work unit if needed.

        If no record is left and the queue is closed and empty, running the result raises OutOfRangeError.

        Args:
          queue: queue of strings, or the tensor that refers to it.
          name: optional name of the operation.

        Returns:
          A named tuple (key, value) of string scalars.
        """
        reader, queue = self._handles(queue)
        read = gen_ops.reader_read_v2 if self._is_resource() else gen_ops.reader_read
        return read(reader, queue, name=name)

    def read_up_to(self, queue: QueueBase | Tensor, num_records: Any, name: str | None = None) -> NamedTuple:
        """Returns the next records of one work unit, at least one; otherwise like `read`.

        Args:
          queue: queue of strings, or the tensor that refers to it.
          num_records: int64 scalar, maximum number of records.
          name: optional name of the operation.

        Returns:
          A named tuple (keys, values) of string vectors.
        """
        reader, queue = self._handles(queue)
        read = gen_ops.reader_read_up_to_v2 if self._is_resource() else gen_ops.reader_read_up_to
        return read(reader, queue, num_records, name=name)

    def num_records_produced(self, name: str | None = None) -> Tensor:
        """Returns the number of records produced as an int64 scalar."""
        count = self._either(gen_ops.reader_num_records_produced_v2, gen_ops.reader_num_records_produced)
        return count(self._reader_ref, name=name)

    def num_work_units_completed(self, name: str | None = None) -> Tensor:
        """Returns the number of finished work units as an int64 scalar."""
        count = self._either(gen_ops.reader_num_work_units_completed_v2, gen_ops.reader_num_work_units_completed)
        return count(self._reader_ref, name=name)

    def serialize_state(self, name: str | None = None) -> Tensor:
        """Returns the state as a string scalar. Running it raises UnimplementedError unless `supports_serialize` is
        True.
        """
        state = self._either(gen_ops.reader_serialize_state_v2, gen_ops.reader_serialize_state)
        return state(self._reader_ref, name=name)

    def restore_state(self, state: Any, name: str | None = None) -> Operation:
        """Restores a state from `serialize_state` of a reader of the same class.

        Args:
          state: string scalar.
          name: optional name of the operation.

        Returns:
          An operation.
        """
        restore = self._either(gen_ops.reader_restore_state_v2, gen_ops.reader_restore_state)
        return restore(self._reader_ref, state, name=name)

    def reset(self, name: str | None = None) -> Operation:
        """Returns an operation that resets the reader to its initial state."""
        reset = self._either(gen_ops.reader_reset_v2, gen_ops.reader_reset)
        return reset(self._reader_ref, name=name)

    def _is_resource(self) -> bool:
        return self._reader_ref.dtype == _dtypes.resource

    def _either(self, of_resources: Any, early: Any) -> Any:
        return of_resources if self._is_resource() else early

    def _handles(self, queue: QueueBase | Tensor) -> tuple[Tensor, Tensor]:
        """Returns the handles of reader and queue, both as resources or both as references."""
        queue_ref = queue if isinstance(queue, Tensor) else queue.queue_ref
        return self._reader_ref, queue_ref if self._is_resource() else gen_ops.fake_queue(queue_ref)


@tf_export("WholeFileReader")
class WholeFileReader(ReaderBase):
    """A reader of whole files: the key is the file name, the value the content."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(gen_ops.whole_file_reader_v2(name=name), supports_serialize=True)


@tf_export("TextLineReader")
class TextLineReader(ReaderBase):
    """A reader of lines without their line terminators. The key is "file:number", where numbers start at 1.

    Args:
      skip_header_lines: optional int, number of lines to skip at the beginning of each file.
      name: optional name of the operation.
    """

    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None:
        super().__init__(gen_ops.text_line_reader_v2(skip_header_lines=skip_header_lines or 0, name=name))


@tf_export("FixedLengthRecordReader")
class FixedLengthRecordReader(ReaderBase):
    """A reader of records of fixed length. The key is "file:number", where numbers start at 0.

    Args:
      record_bytes: int, length of a record.
      header_bytes: optional int, number of bytes before the first record of a file.
      footer_bytes: optional int, number of bytes after the last record of a file.
      hop_bytes: optional int, distance between the starts of two records; None or 0 means `record_bytes`.
      name: optional name of the operation.
      encoding: optional compression of the files: "ZLIB" or "GZIP".
    """

    def __init__(
        self,
        record_bytes: int,
        header_bytes: int | None = None,
        footer_bytes: int | None = None,
        hop_bytes: int | None = None,
        name: str | None = None,
        encoding: str | None = None,
    ) -> None:
        reader_ref = gen_ops.fixed_length_record_reader_v2(
            record_bytes=record_bytes,
            header_bytes=header_bytes or 0,
            footer_bytes=footer_bytes or 0,
            hop_bytes=hop_bytes or 0,
            encoding=encoding or "",
            name=name,
        )
        super().__init__(reader_ref)


@tf_export("TFRecordReader")
class TFRecordReader(ReaderBase):
    """A reader of TFRecord files. The key is "file:offset", where the offset is that of the record in the file.

    Args:
      name: optional name of the operation.
      options: optional `TFRecordOptions`, the compression of the files.
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        compression = TFRecordOptions.get_compression_type_string(options)
        super().__init__(gen_ops.tf_record_reader_v2(name=name, compression_type=compression))


@tf_export("IdentityReader")
class IdentityReader(ReaderBase):
    """A reader that yields each work unit as both key and value."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(gen_ops.identity_reader_v2(name=name), supports_serialize=True)
