"""`make_csv_dataset`: batches of the rows of CSV files, with the names and types of columns that the files tell."""

from __future__ import annotations

import collections
import functools
import gzip
from collections.abc import Callable
from typing import Any

from tinytf._src.data.dataset import DatasetV2Adapter
from tinytf._src.data.dataset_v1 import DatasetV1, DatasetV1Adapter
from tinytf._src.data.experimental.csv_columns import CsvFiles, column_numbers, inferred_defaults
from tinytf._src.data.experimental.csv_dataset import CsvDatasetV1, defaults_of_columns
from tinytf._src.data.experimental.file_readers import interleaved, shuffled_and_repeated
from tinytf._src.data.experimental.filters import ignore_errors as ignoring_errors
from tinytf._src.data.function_methods import AUTOTUNE
from tinytf._src.data.kinds.maps import MapDataset
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.platform.file_io import get_matching_files
from tinytf._src.platform.file_stream import FileIO


@tf_export("compat.v2.data.experimental.make_csv_dataset")
@called_by_users
def make_csv_dataset_v2(
    file_pattern: Any,
    batch_size: Any,
    column_names: list[str] | None = None,
    column_defaults: Any = None,
    label_name: str | None = None,
    select_columns: Any = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: Any = None,
    shuffle: bool = True,
    shuffle_buffer_size: Any = 10000,
    shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None,
    num_parallel_reads: Any = None,
    sloppy: bool = False,
    num_rows_for_inference: int | None = 100,
    compression_type: Any = None,
    ignore_errors: bool = False,
) -> Any:
    """Makes batches of the rows of CSV files.

    Args:
      file_pattern: string or list of strings, such as "/data/*.csv".
      batch_size: int or int64 tensor, number of rows of a batch.
      column_names: list of strings; None means the first row of the files.
      column_defaults: list with the default of each selected column, as in `CsvDataset`; None means zeros and empty
        strings, of types that the first rows tell.
      label_name: string, the column that becomes the label.
      select_columns: list of ints or strings, the columns that are read; None means all.
      field_delim: string, the character between fields.
      use_quote_delim: bool, whether quotation marks enclose fields.
      na_value: string, a field that means a missing value, beside the empty one.
      header: bool, whether the first row of each file has the names of the columns.
      num_epochs: int or int64 tensor, how many times the rows come; None means without end. In the last case smaller
        batches are left out.
      shuffle: bool, whether files and rows come in random order.
      shuffle_buffer_size: int or int64 tensor, number of rows among which the next one is drawn.
      shuffle_seed: int or int64 tensor, the seed of the order.
      prefetch_buffer_size: int or int64 tensor, number of batches that are made ready; None means AUTOTUNE.
      num_parallel_reads: int or int64 tensor, how many files are read at once, in turn; None means 1.
      sloppy: bool, whether the order may vary in favour of speed.
      num_rows_for_inference: int, how many rows tell the types of columns; None means all.
      compression_type: string, "", "ZLIB" or "GZIP"; None means "".
      ignore_errors: bool, whether malformed rows are left out.

    Returns:
      Dataset of ordered dicts from columns to vectors; with `label_name`, of pairs (dict, label).

    Raises:
      ValueError: if no file matches, or if arguments contradict each other or the files.
    """
    prefetch_buffer_size = AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size
    names = _matching_files(file_pattern)
    dataset = DatasetV1.from_tensor_slices(names)
    if shuffle:
        dataset = dataset.shuffle(len(names), shuffle_seed)
    opened = _opener(compression_type) if column_names is None or column_defaults is None else _opened
    files = CsvFiles(names, field_delim, use_quote_delim, opened)
    if column_names is None:
        if not header:
            raise ValueError("Cannot infer column names without a header line.")
        column_names = files.column_names()
    if len(column_names) != len(set(column_names)):
        raise ValueError("Cannot have duplicate column names.")
    if select_columns is not None:
        select_columns = column_numbers(select_columns, column_names)
    if column_defaults is not None:
        column_defaults = defaults_of_columns(column_defaults)
    else:
        rows = files.rows(len(column_names), header)
        selected = range(len(column_names)) if select_columns is None else select_columns
        column_defaults = inferred_defaults(rows, list(selected), na_value, num_rows_for_inference)
    if select_columns is not None:
        if len(column_defaults) != len(select_columns):
            raise ValueError("If specified, column_defaults and select_columns must have same length.")
        column_names = [column_names[i] for i in select_columns]
    if label_name is not None and label_name not in column_names:
        raise ValueError("`label_name` provided must be one of the columns.")

    # Graphs show the names of the two functions.
    def filename_to_dataset(filename: Any) -> Any:
        rows = CsvDatasetV1(
            filename,
            record_defaults=column_defaults,
            field_delim=field_delim,
            use_quote_delim=use_quote_delim,
            na_value=na_value,
            select_cols=select_columns,
            header=header,
            compression_type=compression_type,
        )
        return rows.apply(ignoring_errors()) if ignore_errors else rows

    def map_fn(*columns: Any) -> Any:
        features = collections.OrderedDict(zip(column_names, columns))
        return features if label_name is None else (features, features.pop(label_name))

    dataset = interleaved(dataset, filename_to_dataset, 1 if num_parallel_reads is None else num_parallel_reads, sloppy)
    dataset = shuffled_and_repeated(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    dataset = dataset.batch(batch_size=batch_size, drop_remainder=num_epochs is None)
    mapped = MapDataset(dataset, map_fn, use_inter_op_parallelism=False)
    return DatasetV2Adapter(mapped).prefetch(prefetch_buffer_size)


@tf_export("data.experimental.make_csv_dataset")
@called_by_users
@functools.wraps(make_csv_dataset_v2)
def make_csv_dataset_v1(
    file_pattern: Any,
    batch_size: Any,
    column_names: list[str] | None = None,
    column_defaults: Any = None,
    label_name: str | None = None,
    select_columns: Any = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: Any = None,
    shuffle: bool = True,
    shuffle_buffer_size: Any = 10000,
    shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None,
    num_parallel_reads: Any = None,
    sloppy: bool = False,
    num_rows_for_inference: int | None = 100,
    compression_type: Any = None,
    ignore_errors: bool = False,
) -> Any:
    return DatasetV1Adapter(
        make_csv_dataset_v2(
            file_pattern,
            batch_size,
            column_names,
            column_defaults,
            label_name,
            select_columns,
            field_delim,
            use_quote_delim,
            na_value,
            header,
            num_epochs,
            shuffle,
            shuffle_buffer_size,
            shuffle_seed,
            prefetch_buffer_size,
            num_parallel_reads,
            sloppy,
            num_rows_for_inference,
            compression_type,
            ignore_errors,
        )
    )


def _matching_files(file_pattern: Any) -> list[str]:
    patterns = file_pattern if isinstance(file_pattern, list) else [file_pattern]
    if not patterns:
        raise ValueError("File pattern is empty.")
    names = sorted(name for pattern in patterns for name in get_matching_files(pattern))
    if not names:
        raise ValueError(f"No files match {file_pattern}.")
    return names


def _opener(compression_type: Any) -> Callable[[str], Any]:
    """Returns the function that opens a text file for reading. ValueError for compressions that it cannot read."""
    if compression_type is None:
        return _opened
    kind = compression_type if isinstance(compression_type, str) else constant_value(compression_type)
    kind = kind.decode() if isinstance(kind, bytes) else kind
    if kind is None:
        raise ValueError("Received unkown compression_type")
    if kind == "GZIP":
        return _opened_gzip
    if kind == "ZLIB":
        raise ValueError(f"compression_type ({compression_type}) is not supported for probing columns")
    if kind != "":
        raise ValueError(f"compression_type ({compression_type}) is not supported")
    return _opened


def _opened(name: str) -> Any:
    return FileIO(name, "r")


def _opened_gzip(name: str) -> Any:
    return gzip.open(name, "rt")
