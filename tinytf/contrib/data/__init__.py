"""`tf.contrib.data`: transformations of datasets that `tf.data` and `tf.data.experimental` have replaced, and some that
they lack."""

import tinytf as tf
from tinytf.contrib.data.batching import (
    assert_element_shape,
    batch_and_drop_remainder,
    dense_to_sparse_batch,
    map_and_batch,
    padded_batch_and_drop_remainder,
    unbatch,
)
from tinytf.contrib.data.elements import (
    Counter,
    RandomDataset,
    copy_to_device,
    enumerate_dataset,
    get_single_element,
    ignore_errors,
    prefetch_to_device,
    reduce_dataset,
    shuffle_and_repeat,
    unique,
)
from tinytf.contrib.data.files import (
    CheckpointInputPipelineHook,
    CsvDataset,
    LMDBDataset,
    SqlDataset,
    TFRecordWriter,
    make_batched_features_dataset,
    make_csv_dataset,
    make_saveable_from_iterator,
    parse_example_dataset,
    read_batch_features,
)
from tinytf.contrib.data.functions import (
    Reducer,
    bucket_by_sequence_length,
    choose_from_datasets,
    group_by_reducer,
    group_by_window,
    parallel_interleave,
    rejection_resample,
    sample_from_datasets,
    scan,
    sloppy_interleave,
)
from tinytf.contrib.data.sliding import sliding_window_batch
from tinytf.python.missing import no_other_names

AUTOTUNE = tf.data.experimental.AUTOTUNE
Optional = tf.data.experimental.Optional
get_next_as_optional = tf.data.experimental.get_next_as_optional

__all__ = [
    "AUTOTUNE",
    "CheckpointInputPipelineHook",
    "Counter",
    "CsvDataset",
    "LMDBDataset",
    "Optional",
    "RandomDataset",
    "Reducer",
    "SqlDataset",
    "TFRecordWriter",
    "assert_element_shape",
    "batch_and_drop_remainder",
    "bucket_by_sequence_length",
    "choose_from_datasets",
    "copy_to_device",
    "dense_to_sparse_batch",
    "enumerate_dataset",
    "get_next_as_optional",
    "get_single_element",
    "group_by_reducer",
    "group_by_window",
    "ignore_errors",
    "make_batched_features_dataset",
    "make_csv_dataset",
    "make_saveable_from_iterator",
    "map_and_batch",
    "padded_batch_and_drop_remainder",
    "parallel_interleave",
    "parse_example_dataset",
    "prefetch_to_device",
    "read_batch_features",
    "reduce_dataset",
    "rejection_resample",
    "sample_from_datasets",
    "scan",
    "shuffle_and_repeat",
    "sliding_window_batch",
    "sloppy_interleave",
    "unbatch",
    "unique",
]
__getattr__ = no_other_names(__name__)
