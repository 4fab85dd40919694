"""Records of many files in random order."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.framework.name_scope import name_scope
from tinytf.ops.array.joining import split
from tinytf.ops.array.shape_ops import reshape
from tinytf.platform.tf_record_options import TFRecordOptions


class RecordInput:
    """Yields the records of files of records in random order, again and again, as threads read them.

    Args:
      file_pattern: names of files, with * and ?, and commas between several.
      batch_size: how many records a step gets.
      buffer_size: of how many records each is chosen.
      parallelism: how many files are read at a time, 64 at most.
      shift_ratio: the share of the files by which the order of each time through them is rotated.
      seed: of the order. The same records come in the same order where one file is read at a time and the buffer has room
        for all.
      name: of the operation.
      batches: into how many batches of `batch_size` a step's records are divided; None: they are one tensor.
      compression_type: of the files, as `TFRecordOptions` has it.

    Steps fail by NotFoundError if no files match or none has a record, by the errors of files that are damaged, and by
    InvalidArgumentError for numbers below 1.
    """

    def __init__(
        self,
        file_pattern: str,
        batch_size: int = 1,
        buffer_size: int = 1,
        parallelism: int = 1,
        shift_ratio: float = 0,
        seed: int = 0,
        name: str | None = None,
        batches: int | None = None,
        compression_type: Any = None,
    ) -> None:
        self._batch_size = batch_size if batches is None else batch_size * batches
        self._batches = batches
        self._file_pattern = file_pattern
        self._buffer_size = buffer_size
        self._parallelism = parallelism
        self._shift_ratio = shift_ratio
        self._seed = seed
        self._name = name
        self._compression_type = 0 if compression_type is None else compression_type

    def get_yield_op(self) -> Any:
        """The records of a step: a string vector, or for each of the `batches` a list of string scalars. ValueError for
        other compressions than there are."""
        compression = TFRecordOptions.get_compression_type_string(TFRecordOptions(self._compression_type))
        records = gen_ops.record_input(
            file_pattern=self._file_pattern,
            file_buffer_size=self._buffer_size,
            file_parallelism=self._parallelism,
            file_shuffle_shift_ratio=self._shift_ratio,
            batch_size=self._batch_size,
            file_random_seed=self._seed,
            compression_type=compression,
            name=self._name,
        )
        if self._batches is None:
            return records
        with name_scope(self._name):
            ones = [reshape(record, []) for record in split(records, self._batch_size, 0)]
        return [ones[first :: self._batches] for first in range(self._batches)]
