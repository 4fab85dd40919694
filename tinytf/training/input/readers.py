"""Readers: what makes records of files whose names come from a queue."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes as _dtypes
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.ops.data_flow.queue_base import QueueBase
from tinytf.platform.tf_record_options import TFRecordOptions


@tf_export("ReaderBase")
class ReaderBase:
    """Makes records, pairs of a key and a value, of work units, which are mostly names of files. It takes a work unit from
    a queue of strings when it has come to the end of the one before. Readers live in the session.

    Args:
      reader_ref: the tensor that refers to the reader.
      supports_serialize: whether `serialize_state` and `restore_state` can be run.

    RuntimeError in eager execution, where there are no readers.
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
        """Whether the reader's state can be had and restored: readers of one record a work unit can."""
        return self._supports_serialize

    def read(self, queue: QueueBase | Tensor, name: str | None = None) -> NamedTuple:
        """The next record, as two string scalars `(key, value)`. It waits for a work unit where there is none.

        Running it fails with OutOfRangeError when no record is left and the queue is closed and empty.

        Args:
          queue: of strings, or the tensor that refers to it.
        """
        reader, queue = self._handles(queue)
        read = gen_ops.reader_read_v2 if self._is_resource() else gen_ops.reader_read
        return read(reader, queue, name=name)

    def read_up_to(self, queue: QueueBase | Tensor, num_records: Any, name: str | None = None) -> NamedTuple:
        """The next records of one work unit, up to `num_records`, one at least, as two string vectors `(keys, values)`;
        otherwise as `read`.
        """
        reader, queue = self._handles(queue)
        read = gen_ops.reader_read_up_to_v2 if self._is_resource() else gen_ops.reader_read_up_to
        return read(reader, queue, num_records, name=name)

    def num_records_produced(self, name: str | None = None) -> Tensor:
        """How many records it has yielded: an int64 scalar."""
        count = self._either(gen_ops.reader_num_records_produced_v2, gen_ops.reader_num_records_produced)
        return count(self._reader_ref, name=name)

    def num_work_units_completed(self, name: str | None = None) -> Tensor:
        """How many work units it has come to the end of: an int64 scalar."""
        count = self._either(gen_ops.reader_num_work_units_completed_v2, gen_ops.reader_num_work_units_completed)
        return count(self._reader_ref, name=name)

    def serialize_state(self, name: str | None = None) -> Tensor:
        """Where it is, as a string for `restore_state`. UnimplementedError when run, unless `supports_serialize`."""
        state = self._either(gen_ops.reader_serialize_state_v2, gen_ops.reader_serialize_state)
        return state(self._reader_ref, name=name)

    def restore_state(self, state: Any, name: str | None = None) -> Operation:
        """The operation that brings it to where a reader of its kind was when its state was serialized."""
        restore = self._either(gen_ops.reader_restore_state_v2, gen_ops.reader_restore_state)
        return restore(self._reader_ref, state, name=name)

    def reset(self, name: str | None = None) -> Operation:
        """The operation that makes it forget all that it has read."""
        reset = self._either(gen_ops.reader_reset_v2, gen_ops.reader_reset)
        return reset(self._reader_ref, name=name)

    def _is_resource(self) -> bool:
        return self._reader_ref.dtype == _dtypes.resource

    def _either(self, of_resources: Any, early: Any) -> Any:
        return of_resources if self._is_resource() else early

    def _handles(self, queue: QueueBase | Tensor) -> tuple[Tensor, Tensor]:
        """The reader's handle and the queue's, of one generation."""
        queue_ref = queue if isinstance(queue, Tensor) else queue.queue_ref
        return self._reader_ref, queue_ref if self._is_resource() else gen_ops.fake_queue(queue_ref)


@tf_export("WholeFileReader")
class WholeFileReader(ReaderBase):
    """A reader of whole files: the key is a file's name, the value what is in it."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(gen_ops.whole_file_reader_v2(name=name), supports_serialize=True)


@tf_export("TextLineReader")
class TextLineReader(ReaderBase):
    """A reader of lines, without what ends them. Keys are the file's name, a colon and the line's number, from 1 on.

    Args:
      skip_header_lines: how many lines at the beginning of each file are left out.
    """

    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None:
        super().__init__(gen_ops.text_line_reader_v2(skip_header_lines=skip_header_lines or 0, name=name))


@tf_export("FixedLengthRecordReader")
class FixedLengthRecordReader(ReaderBase):
    """A reader of records of one length. Keys are the file's name, a colon and the record's number, from 0 on.

    Args:
      record_bytes: the length.
      header_bytes: how many bytes stand before the first record of a file.
      footer_bytes: how many stand behind the last one.
      hop_bytes: how far apart records begin; None or 0: one behind the other.
      encoding: the compression of the files: None, "ZLIB" or "GZIP".
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
    """A reader of files of records. Keys are the file's name, a colon and where in the file the record begins.

    Args:
      options: the compression of the files, as `TFRecordOptions`.
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        compression = TFRecordOptions.get_compression_type_string(options)
        super().__init__(gen_ops.tf_record_reader_v2(name=name, compression_type=compression))


@tf_export("IdentityReader")
class IdentityReader(ReaderBase):
    """A reader that yields each work unit as key and as value."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(gen_ops.identity_reader_v2(name=name), supports_serialize=True)
