"""`make_batched_features_dataset`: batches of the features of the Examples in files."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, cast

from tinytf._src.data import structure
from tinytf._src.data.dataset import DatasetV2Adapter
from tinytf._src.data.dataset_v1 import DatasetV1, DatasetV1Adapter
from tinytf._src.data.experimental.file_readers import interleaved, shuffled_and_repeated
from tinytf._src.data.experimental.parsing import parse_example_dataset
from tinytf._src.data.function_methods import AUTOTUNE
from tinytf._src.data.kinds.maps import MapDataset
from tinytf._src.data.readers import TFRecordDatasetV1
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.values import dtypes
from tinytf._src.training.input.readers import ReaderBase


@tf_export("compat.v2.data.experimental.make_batched_features_dataset")
@called_by_users
def make_batched_features_dataset_v2(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Callable[..., Any] = TFRecordDatasetV1,
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
    """Makes batches of the features of the Examples in files.

    Args:
      file_pattern: string or list of strings, such as "/data/*.tfrecord".
      batch_size: int or int64 tensor, number of Examples of a batch.
      features: dict as in `parse_example_dataset`.
      reader: callable that takes the name of a file and returns the dataset of its records, or of pairs with a record in
        second place.
      label_key: string, the feature that becomes the label.
      reader_args: list of further arguments of `reader`.
      num_epochs: int or int64 tensor, how many times the Examples come; None means without end. In the last case smaller
        batches are left out.
      shuffle: bool, whether files and Examples come in random order.
      shuffle_buffer_size: int or int64 tensor, number of Examples among which the next one is drawn.
      shuffle_seed: int or int64 tensor, the seed of the order.
      prefetch_buffer_size: int or int64 tensor, number of batches that are made ready; None means AUTOTUNE.
      reader_num_threads: int or int64 tensor, how many files are read at once, in turn; None means 1.
      parser_num_threads: int or int64 tensor, how many batches are parsed at once; None means 2.
      sloppy_ordering: bool, whether the order may vary in favour of speed.
      drop_final_batch: bool, whether a smaller batch at the end is left out.

    Returns:
      Dataset of dicts from keys to tensors and sparse tensors; with `label_key`, of pairs (dict, label).

    Raises:
      TypeError: if `reader` is a `tf.ReaderBase`.
      ValueError: if `label_key` is none of the features.
    """
    threads = 1 if reader_num_threads is None else reader_num_threads
    parsers = 2 if parser_num_threads is None else parser_num_threads
    dataset = DatasetV1.list_files(file_pattern, shuffle=shuffle, seed=shuffle_seed)
    if isinstance(reader, type) and issubclass(reader, ReaderBase):
        raise TypeError(
            "The `reader` argument must return a `Dataset` object. `tf.ReaderBase` subclasses are not supported. For "
            "example, pass `tf.data.TFRecordDataset` instead of `tf.TFRecordReader`."
        )
    arguments, make_reader = reader_args or [], cast(Any, reader)
    dataset = interleaved(dataset, lambda filename: make_reader(filename, *arguments), threads, sloppy_ordering)
    if structure.legacy_types(dataset.element_spec) == (dtypes.string, dtypes.string):
        values = MapDataset(dataset, lambda _, v: v, use_inter_op_parallelism=False)
        dataset = DatasetV2Adapter(values)
    dataset = shuffled_and_repeated(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    dataset = dataset.apply(parse_example_dataset(features, num_parallel_calls=parsers))
    if label_key:
        if label_key not in features:
            raise ValueError(f"The `label_key` provided ({label_key!r}) must be one of the `features` keys.")
        dataset = dataset.map(lambda x: (x, x.pop(label_key)))
    return dataset.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


@tf_export("data.experimental.make_batched_features_dataset")
@called_by_users
@functools.wraps(make_batched_features_dataset_v2)
def make_batched_features_dataset_v1(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Callable[..., Any] = TFRecordDatasetV1,
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
    return DatasetV1Adapter(
        make_batched_features_dataset_v2(
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
    )
