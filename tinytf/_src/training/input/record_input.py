"""Records of many files in random order."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.ops.array.joining import split
from tinytf._src.ops.array.shape_ops import reshape
from tinytf._src.platform.tf_record_options import TFRecordOptions


class RecordInput:
    """Yields the records of TFRecord files in random order, repeatedly, as reader threads deliver them.

    Steps fail with NotFoundError if no file matches or no file has a record, with the errors of corrupt files, and with
    InvalidArgumentError for numbers below 1.

    Args:
      file_pattern: str, comma-separated glob patterns.
      batch_size: int, number of records per step.
      buffer_size: int, number of records from which each one is drawn.
      parallelism: int, number of files that are read concurrently, 64 at most.
      shift_ratio: float, fraction of the files by which their order is rotated in each epoch.
      seed: int. The order is reproducible if `parallelism` is 1 and the buffer holds all records.
      name: optional name of the operation.
      batches: optional int, number of batches of `batch_size` records per step; None yields one tensor.
      compression_type: optional compression of the files, as in `TFRecordOptions`.
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
        """Returns the records of a step: a string vector, or for each of the `batches` a list of string scalars.

        Raises ValueError if the compression is unknown.
        """
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
