"""Datasets of the lines and records of files: `TextLineDataset`, `TFRecordDataset` and `FixedLengthRecordDataset`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import structure
from tinytf._src.data.base import DatasetBase, Source
from tinytf._src.data.dataset import DatasetV2
from tinytf._src.data.dataset_v1 import DatasetV1Adapter
from tinytf._src.data.function_methods import AUTOTUNE
from tinytf._src.data.kinds.arguments import int64, optional_tensor
from tinytf._src.data.kinds.flat_maps import FlatMapDataset, ParallelInterleaveDataset, ParallelInterleaveOfReaders
from tinytf._src.data.kinds.tensors import TensorSliceDataset
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.array_ops import reshape

_BUFFER_SIZE = 256 * 1024  # bytes read at a time, by default
_STRING = TensorSpec([], dtypes.string)


class _OfStrings(Source):
    """A dataset of scalar strings."""

    @property
    def element_spec(self) -> TensorSpec:
        """The specification of a scalar string."""
        return _STRING


class _TextLines(_OfStrings):
    def __init__(self, filenames: Any, compression_type: Any = None, buffer_size: Any = None) -> None:
        compression = optional_tensor("compression_type", compression_type, "", dtypes.string)
        size = optional_tensor("buffer_size", buffer_size, _BUFFER_SIZE)
        super().__init__(gen_ops.text_line_dataset(filenames, compression, size))


class _TFRecords(_OfStrings):
    def __init__(self, filenames: Any, compression_type: Any = None, buffer_size: Any = None) -> None:
        compression = optional_tensor("compression_type", compression_type, "", dtypes.string)
        size = optional_tensor("buffer_size", buffer_size, _BUFFER_SIZE)
        super().__init__(gen_ops.tf_record_dataset(filenames, compression, size))


class _FixedLengthRecords(_OfStrings):
    def __init__(
        self,
        filenames: Any,
        record_bytes: Any,
        header_bytes: Any = None,
        footer_bytes: Any = None,
        buffer_size: Any = None,
        compression_type: Any = None,
    ) -> None:
        record = int64(record_bytes, "record_bytes")
        header = optional_tensor("header_bytes", header_bytes)
        footer = optional_tensor("footer_bytes", footer_bytes)
        size = optional_tensor("buffer_size", buffer_size, _BUFFER_SIZE)
        compression = optional_tensor("compression_type", compression_type, "", dtypes.string)
        records = gen_ops.fixed_length_record_dataset_v2(filenames, header, record, footer, size, compression)
        super().__init__(records)


def _names(filenames: Any) -> Any:
    """Returns the dataset of the names of files, which may be a dataset, a tensor or a list."""
    if not isinstance(filenames, DatasetBase):
        filenames = convert_to_tensor(filenames, dtype=dtypes.string)
        return TensorSliceDataset(reshape(filenames, [-1], name="flat_filenames"))
    if structure.legacy_types(filenames.element_spec) != dtypes.string:
        raise TypeError("`filenames` must be a `tf.data.Dataset` of `tf.string` elements.")
    if not structure.legacy_shapes(filenames.element_spec).is_compatible_with(TensorShape([])):
        raise TypeError("`filenames` must be a `tf.data.Dataset` of scalar `tf.string` elements.")
    return filenames


def _read(creator: Callable[[Any], Any], filenames: Any, num_parallel_reads: Any) -> Any:
    """Returns the dataset of the elements of several files. `creator(name)` returns that of one file."""

    def read_one_file(filename: Any) -> Any:
        return creator(convert_to_tensor(filename, dtypes.string, name="filename"))

    if num_parallel_reads is None:
        return FlatMapDataset(filenames, read_one_file)
    if num_parallel_reads == AUTOTUNE:
        return ParallelInterleaveDataset(filenames, read_one_file, AUTOTUNE, 1, num_parallel_reads)
    return ParallelInterleaveOfReaders(filenames, read_one_file, num_parallel_reads, 1, False, None, None)


class _Reader(DatasetV2):
    """A dataset of scalar strings that are read from files."""

    def __init__(self, filenames: Any, creator: Callable[[Any], Any], num_parallel_reads: Any) -> None:
        self._filenames = _names(filenames)
        self._impl = _read(creator, self._filenames, num_parallel_reads)
        super().__init__(self._impl._variant_tensor)

    def _inputs(self) -> list[Any]:
        return []

    @property
    def element_spec(self) -> TensorSpec:
        """The specification of a scalar string."""
        return _STRING


class _ReaderV1(DatasetV1Adapter):
    """A reader with the methods of `DatasetV1`."""

    @property
    def _filenames(self) -> Any:
        return self._dataset._filenames

    @_filenames.setter
    def _filenames(self, value: Any) -> None:
        self._dataset._filenames = value


@tf_export("compat.v2.data.TextLineDataset")
class TextLineDatasetV2(_Reader):
    """The lines of text files, without their ends."""

    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None, num_parallel_reads: Any = None
    ) -> None:
        """Makes the dataset.

        Args:
          filenames: string tensor, list of strings, or dataset of scalar strings: the names of the files.
          compression_type: string or string tensor, "", "ZLIB" or "GZIP"; None means "".
          buffer_size: int or int64 tensor, bytes read at a time; None means 256 KiB.
          num_parallel_reads: int or int64 tensor, how many files are read at once, in turn; None means one after the
            other.

        Raises:
          TypeError: if `filenames` is a dataset of other elements.
        """

        def creator(filename: Any) -> Any:
            return _TextLines(filename, compression_type, buffer_size)

        super().__init__(filenames, creator, num_parallel_reads)


@tf_export("data.TextLineDataset")
class TextLineDatasetV1(_ReaderV1):
    """The lines of text files, without their ends."""

    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None, num_parallel_reads: Any = None
    ) -> None:
        """Makes the dataset.

        Args:
          filenames: string tensor, list of strings, or dataset of scalar strings: the names of the files.
          compression_type: string or string tensor, "", "ZLIB" or "GZIP"; None means "".
          buffer_size: int or int64 tensor, bytes read at a time; None means 256 KiB.
          num_parallel_reads: int or int64 tensor, how many files are read at once, in turn; None means one after the
            other.

        Raises:
          TypeError: if `filenames` is a dataset of other elements.
        """
        super().__init__(TextLineDatasetV2(filenames, compression_type, buffer_size, num_parallel_reads))


@tf_export("compat.v2.data.TFRecordDataset")
class TFRecordDatasetV2(_Reader):
    """The records of TFRecord files."""

    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None, num_parallel_reads: Any = None
    ) -> None:
        """Makes the dataset.

        Args:
          filenames: string tensor, list of strings, or dataset of scalar strings: the names of the files.
          compression_type: string or string tensor, "", "ZLIB" or "GZIP"; None means "".
          buffer_size: int or int64 tensor, bytes read at a time; None means 256 KiB.
          num_parallel_reads: int or int64 tensor, how many files are read at once, in turn; None means one after the
            other.

        Raises:
          TypeError: if `filenames` is a dataset of other elements.
        """
        self._arguments = compression_type, buffer_size, num_parallel_reads

        def creator(filename: Any) -> Any:
            return _TFRecords(filename, compression_type, buffer_size)

        super().__init__(filenames, creator, num_parallel_reads)

    def _clone(self, filenames: Any = None, *arguments: Any) -> TFRecordDatasetV2:
        """Returns the dataset with other arguments where these are given."""
        given = (*arguments, None, None, None)
        return TFRecordDatasetV2(
            filenames or self._filenames, *(new or old for new, old in zip(given, self._arguments))
        )

    def _inputs(self) -> list[Any]:
        inputs: list[Any] = self._impl._inputs()
        return inputs


@tf_export("data.TFRecordDataset")
class TFRecordDatasetV1(_ReaderV1):
    """The records of TFRecord files."""

    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None, num_parallel_reads: Any = None
    ) -> None:
        """Makes the dataset.

        Args:
          filenames: string tensor, list of strings, or dataset of scalar strings: the names of the files.
          compression_type: string or string tensor, "", "ZLIB" or "GZIP"; None means "".
          buffer_size: int or int64 tensor, bytes read at a time; None means 256 KiB.
          num_parallel_reads: int or int64 tensor, how many files are read at once, in turn; None means one after the
            other.

        Raises:
          TypeError: if `filenames` is a dataset of other elements.
        """
        super().__init__(TFRecordDatasetV2(filenames, compression_type, buffer_size, num_parallel_reads))

    def _clone(self, filenames: Any = None, *arguments: Any) -> TFRecordDatasetV1:
        """Returns the dataset with other arguments where these are given."""
        given = (*arguments, None, None, None)
        kept = self._dataset._arguments
        return TFRecordDatasetV1(filenames or self._filenames, *(new or old for new, old in zip(given, kept)))


@tf_export("compat.v2.data.FixedLengthRecordDataset")
class FixedLengthRecordDatasetV2(_Reader):
    """The records of binary files whose records have one length."""

    def __init__(
        self,
        filenames: Any,
        record_bytes: Any,
        header_bytes: Any = None,
        footer_bytes: Any = None,
        buffer_size: Any = None,
        compression_type: Any = None,
        num_parallel_reads: Any = None,
    ) -> None:
        """Makes the dataset.

        Args:
          filenames: string tensor, list of strings, or dataset of scalar strings: the names of the files.
          record_bytes: int or int64 tensor, length of a record.
          header_bytes: int or int64 tensor, length of what is skipped at the beginning of a file; None means 0.
          footer_bytes: int or int64 tensor, length of what is skipped at the end of a file; None means 0.
          buffer_size: int or int64 tensor, bytes read at a time; None means 256 KiB.
          compression_type: string or string tensor, "", "ZLIB" or "GZIP"; None means "".
          num_parallel_reads: int or int64 tensor, how many files are read at once, in turn; None means one after the
            other.

        Raises:
          TypeError: if `filenames` is a dataset of other elements.
        """

        def creator(filename: Any) -> Any:
            return _FixedLengthRecords(
                filename, record_bytes, header_bytes, footer_bytes, buffer_size, compression_type
            )

        super().__init__(filenames, creator, num_parallel_reads)


@tf_export("data.FixedLengthRecordDataset")
class FixedLengthRecordDatasetV1(_ReaderV1):
    """The records of binary files whose records have one length."""

    def __init__(
        self,
        filenames: Any,
        record_bytes: Any,
        header_bytes: Any = None,
        footer_bytes: Any = None,
        buffer_size: Any = None,
        compression_type: Any = None,
        num_parallel_reads: Any = None,
    ) -> None:
        """Makes the dataset.

        Args:
          filenames: string tensor, list of strings, or dataset of scalar strings: the names of the files.
          record_bytes: int or int64 tensor, length of a record.
          header_bytes: int or int64 tensor, length of what is skipped at the beginning of a file; None means 0.
          footer_bytes: int or int64 tensor, length of what is skipped at the end of a file; None means 0.
          buffer_size: int or int64 tensor, bytes read at a time; None means 256 KiB.
          compression_type: string or string tensor, "", "ZLIB" or "GZIP"; None means "".
          num_parallel_reads: int or int64 tensor, how many files are read at once, in turn; None means one after the
            other.

        Raises:
          TypeError: if `filenames` is a dataset of other elements.
        """
        arguments = header_bytes, footer_bytes, buffer_size, compression_type, num_parallel_reads
        super().__init__(FixedLengthRecordDatasetV2(filenames, record_bytes, *arguments))
