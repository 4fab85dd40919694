"""Datasets of files, and iterators in checkpoints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.python.data.ops.dataset_ops import DatasetSource
from tinytf.python.util.deprecation import deprecated

_Transformation = Callable[[Any], Any]


@deprecated(None, "Use `tf.data.experimental.make_csv_dataset(...)`.")
def make_csv_dataset(
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
) -> Any:
    """See `tf.data.experimental.make_csv_dataset`."""
    return tf.data.experimental.make_csv_dataset(
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
    )


class CsvDataset(tf.data.experimental.CsvDataset):
    """See `tf.data.experimental.CsvDataset`."""

    @deprecated(None, "Use `tf.data.experimental.CsvDataset(...)`.")
    def __init__(
        self,
        filenames: Any,
        record_defaults: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        header: Any = False,
        field_delim: Any = ",",
        use_quote_delim: Any = True,
        na_value: Any = "",
        select_cols: Any = None,
    ) -> None:
        super().__init__(
            filenames,
            record_defaults,
            compression_type,
            buffer_size,
            header,
            field_delim,
            use_quote_delim,
            na_value,
            select_cols,
        )


@deprecated(None, "Use `tf.data.experimental.make_batched_features_dataset(...)`.")
def make_batched_features_dataset(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Callable[..., Any] = tf.data.TFRecordDataset,
    label_key: str | None = None,
    reader_args: Any = None,
    num_epochs: Any = None,
    shuffle: bool = True,
    shuffle_buffer_size: Any = 10000,
    shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None,
    reader_num_threads: Any = None,
    parser_num_threads: Any = None,
    sloppy_ordering: bool = False,
    drop_final_batch: bool = False,
) -> Any:
    """See `tf.data.experimental.make_batched_features_dataset`."""
    return tf.data.experimental.make_batched_features_dataset(
        file_pattern,
        batch_size,
        features,
        reader,
        label_key,
        reader_args,
        num_epochs,
        shuffle,
        shuffle_buffer_size,
        shuffle_seed,
        prefetch_buffer_size,
        reader_num_threads,
        parser_num_threads,
        sloppy_ordering,
        drop_final_batch,
    )


@deprecated(None, "Use `tf.data.experimental.make_batched_features_dataset(...)`")
def read_batch_features(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Callable[..., Any] = tf.data.TFRecordDataset,
    reader_args: Any = None,
    randomize_input: bool = True,
    num_epochs: Any = None,
    capacity: Any = 10000,
) -> Any:
    """Reads a batch of the features of the Examples in files.

    Args:
      file_pattern: as in `tf.data.experimental.make_batched_features_dataset`.
      batch_size: as there.
      features: as there.
      reader: as there.
      reader_args: as there.
      randomize_input: bool, whether files and Examples come in random order.
      num_epochs: as there.
      capacity: int or int64 tensor, number of Examples among which the next one is drawn.

    Returns:
      Dict from keys to tensors and sparse tensors, which are the next batch in each step.
    """
    dataset = tf.data.experimental.make_batched_features_dataset(
        file_pattern,
        batch_size,
        features,
        reader=reader,
        reader_args=reader_args,
        shuffle=randomize_input,
        num_epochs=num_epochs,
        shuffle_buffer_size=capacity,
    )
    return tf.data.make_one_shot_iterator(dataset).get_next()


class SqlDataset(tf.data.experimental.SqlDataset):
    """See `tf.data.experimental.SqlDataset`."""

    @deprecated(None, "Use `tf.data.experimental.SqlDataset(...)`.")
    def __init__(self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any) -> None:
        super().__init__(driver_name, data_source_name, query, output_types)


class LMDBDataset(DatasetSource):
    """The pairs (key, value) of LMDB databases."""

    def __init__(self, filenames: Any) -> None:
        """Makes the dataset.

        Args:
          filenames: string tensor or list of strings.
        """
        names = tf.convert_to_tensor(filenames, dtype=tf.string, name="filenames")
        super().__init__(tf.raw_ops.LMDBDataset(filenames=names, **self._flat_structure))

    @property
    def element_spec(self) -> Any:
        """The specification of a pair of scalar strings."""
        return tf.TensorSpec([], tf.string), tf.TensorSpec([], tf.string)


@deprecated(None, "Use `tf.data.experimental.parse_example_dataset(...)`.")
def parse_example_dataset(features: Any, num_parallel_calls: Any = 1) -> _Transformation:
    """See `tf.data.experimental.parse_example_dataset`."""
    return tf.data.experimental.parse_example_dataset(features, num_parallel_calls)


class TFRecordWriter(tf.data.experimental.TFRecordWriter):
    """See `tf.data.experimental.TFRecordWriter`."""

    @deprecated(None, "Use `tf.data.experimental.TFRecordWriter(...)`.")
    def __init__(self, filename: Any, compression_type: Any = None) -> None:
        super().__init__(filename, compression_type)


@deprecated(None, "Use `tf.data.experimental.make_saveable_from_iterator(...)`.")
def make_saveable_from_iterator(iterator: Any) -> Any:
    """See `tf.data.experimental.make_saveable_from_iterator`."""
    return tf.data.experimental.make_saveable_from_iterator(iterator)


class CheckpointInputPipelineHook(tf.data.experimental.CheckpointInputPipelineHook):
    """See `tf.data.experimental.CheckpointInputPipelineHook`."""

    @deprecated(None, "Use `tf.data.experimental.CheckpointInputPipelineHook(...)`.")
    def __init__(self, estimator: Any) -> None:
        super().__init__(estimator)
