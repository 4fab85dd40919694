"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.data_ops import _AnonymousIteratorV2Outputs, _AnonymousMemoryCacheOutputs, _AnonymousMultiDeviceIteratorOutputs, _AnonymousRandomSeedGeneratorOutputs

def AnonymousIterator(*, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a new iterator, which lives until DestroyResourceOp or the end of the session."""

def AnonymousIteratorV2(*, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> _AnonymousIteratorV2Outputs:
    """Makes a new iterator, which lives as long as its handle, and a token for DeleteIterator."""

def AnonymousMemoryCache(*, name: str | None = None) -> _AnonymousMemoryCacheOutputs:
    """Makes a cache for CacheDatasetV2, which lives as long as its handle, and a token for DeleteMemoryCache."""

def AnonymousMultiDeviceIterator(*, devices: Sequence[str | bytes], output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> _AnonymousMultiDeviceIteratorOutputs:
    """Makes a new iterator for several devices, which lives as long as its handle, and a token for DeleteMultiDeviceIterator."""

def AnonymousRandomSeedGenerator(*, seed: TensorLike, seed2: TensorLike, name: str | None = None) -> _AnonymousRandomSeedGeneratorOutputs:
    """Makes a generator of seeds for ShuffleDatasetV2. The handle owns it."""

def AssertNextDataset(*, input_dataset: Tensor, transformations: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input. Iteration fails unless the stages that take them have the names in `transformations`, such as `BatchV2`: names of TensorFlow's stages, after the rewrites of the pipeline. A stage inside a function is followed by other stages of the function only."""

def AutoShardDataset(*, input_dataset: Tensor, num_workers: TensorLike, index: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes the part of worker `index` of the input. If all its stages permit, the files that it reads are divided, every `num_workers`-th one from number `index` on; else the elements are. Iteration fails if there are fewer files or elements than workers."""

def BatchDataset(*, input_dataset: Tensor, batch_size: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of batches of `batch_size` elements of the input, stacked along a new first dimension. The last batch may have fewer."""

def BatchDatasetV2(*, input_dataset: Tensor, batch_size: TensorLike, drop_remainder: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], parallel_copy: bool | None = False, name: str | None = None) -> Tensor:
    """Makes a dataset of batches of `batch_size` elements of the input, stacked along a new first dimension. The last batch may have fewer elements, or is left out if `drop_remainder` is true."""

def BytesProducedStatsDataset(*, input_dataset: Tensor, tag: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input that reports the bytes of each element, as a histogram of name `tag`."""

def CSVDataset(*, filenames: TensorLike, compression_type: TensorLike, buffer_size: TensorLike, header: TensorLike, field_delim: TensorLike, use_quote_delim: TensorLike, na_value: TensorLike, select_cols: TensorLike, record_defaults: Sequence[TensorLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the records of the CSV files, one after the other. An element has a scalar for each field in `select_cols`, or for each field if that is empty; `record_defaults` gives the values of fields that are empty or `na_value`, and an empty default makes a field required."""

def CacheDataset(*, input_dataset: Tensor, filename: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input. The first iterator that reaches the end keeps them in memory, for the other iterators of the pipeline, or if `filename` is not empty, in files that begin so."""

def CacheDatasetV2(*, input_dataset: Tensor, filename: TensorLike, cache: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input. The first iterator that reaches the end keeps them in `cache`, or if `filename` is not empty, in files that begin so."""

def ChooseFastestBranchDataset(*, input_dataset: Tensor, ratio_numerator: TensorLike, ratio_denominator: TensorLike, other_arguments: Sequence[TensorLike], num_elements_per_branch: int, branches: Sequence[object], other_arguments_lengths: Sequence[int], output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements that `branches`, functions from a dataset to a dataset, make of the input. Each makes `num_elements_per_branch` elements of its next part, then the fastest one gets the rest."""

def ChooseFastestDataset(*, input_datasets: Sequence[Tensor], num_experiments: int, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the first input, and after `num_experiments` elements, of the input that was the fastest so far. All have the same elements."""

def ConcatenateDataset(*, input_dataset: Tensor, another_dataset: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input followed by the elements of `another_dataset`."""

def DatasetCardinality(*, input_dataset: Tensor, name: str | None = None) -> Tensor:
    """Returns the number of elements of the dataset, -1 if it has no end, or -2 if the number is unknown without iteration."""

def DatasetFromGraph(*, graph_def: TensorLike, name: str | None = None) -> Tensor:
    """Returns the dataset that the graph in a serialized GraphDef yields, as DatasetToGraph writes it."""

def DatasetToGraph(*, input_dataset: Tensor, stateful_whitelist: Sequence[str | bytes] | None = (), name: str | None = None) -> Tensor:
    """Returns a serialized GraphDef whose node `dataset` yields an equal dataset. Fails if a function of the dataset has a stateful op that is not in `stateful_whitelist`."""

def DatasetToSingleElement(*, dataset: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> list[Tensor]:
    """Returns the components of the only element of the dataset. Fails if it has none or more than one."""

def DatasetToTFRecord(*, input_dataset: Tensor, filename: TensorLike, compression_type: TensorLike, name: str | None = None) -> Operation:
    """Writes the elements of the dataset, which are strings, to a file of records. `compression_type` is empty, `ZLIB` or `GZIP`."""

def DeleteIterator(*, handle: Tensor, deleter: Tensor, name: str | None = None) -> Operation:
    """Ends the iterator and its background work."""

def DeleteMemoryCache(*, handle: Tensor, deleter: Tensor, name: str | None = None) -> Operation:
    """Gives the handle of the cache back."""

def DeleteMultiDeviceIterator(*, multi_device_iterator: Tensor, iterators: Sequence[Tensor], deleter: Tensor, name: str | None = None) -> Operation:
    """Ends the iterator and its background work."""

def DeleteRandomSeedGenerator(*, handle: Tensor, deleter: Tensor, name: str | None = None) -> Operation:
    """Does nothing, because the handle of a generator of seeds owns it."""

def DenseToSparseBatchDataset(*, input_dataset: Tensor, batch_size: TensorLike, row_shape: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of sparse tensors, each of `batch_size` elements of the input, in rows of `row_shape`. A dimension of -1 is as large as in the largest element of the batch."""

def DeserializeIterator(*, resource_handle: Tensor, serialized: Tensor, name: str | None = None) -> Operation:
    """Sets the position of the iterator, which must have been initialized with an equal dataset."""

def DirectedInterleaveDataset(*, selector_input_dataset: Tensor, data_input_datasets: Sequence[Tensor], output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset that takes each element from the dataset whose index `selector_input_dataset` yields. Datasets that have ended are passed over."""

def ExperimentalAssertNextDataset(*, input_dataset: Tensor, transformations: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of AssertNextDataset."""

def ExperimentalAutoShardDataset(*, input_dataset: Tensor, num_workers: TensorLike, index: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of AutoShardDataset."""

def ExperimentalBytesProducedStatsDataset(*, input_dataset: Tensor, tag: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of BytesProducedStatsDataset."""

def ExperimentalCSVDataset(*, filenames: TensorLike, compression_type: TensorLike, buffer_size: TensorLike, header: TensorLike, field_delim: TensorLike, use_quote_delim: TensorLike, na_value: TensorLike, select_cols: TensorLike, record_defaults: Sequence[TensorLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of CSVDataset."""

def ExperimentalChooseFastestDataset(*, input_datasets: Sequence[Tensor], num_experiments: int, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of ChooseFastestDataset."""

def ExperimentalDatasetCardinality(*, input_dataset: Tensor, name: str | None = None) -> Tensor:
    """An earlier name of DatasetCardinality."""

def ExperimentalDatasetToTFRecord(*, input_dataset: Tensor, filename: TensorLike, compression_type: TensorLike, name: str | None = None) -> Operation:
    """An earlier name of DatasetToTFRecord."""

def ExperimentalDenseToSparseBatchDataset(*, input_dataset: Tensor, batch_size: TensorLike, row_shape: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of DenseToSparseBatchDataset."""

def ExperimentalDirectedInterleaveDataset(*, selector_input_dataset: Tensor, data_input_datasets: Sequence[Tensor], output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of DirectedInterleaveDataset."""

def ExperimentalGroupByReducerDataset(*, input_dataset: Tensor, key_func_other_arguments: Sequence[TensorLike], init_func_other_arguments: Sequence[TensorLike], reduce_func_other_arguments: Sequence[TensorLike], finalize_func_other_arguments: Sequence[TensorLike], key_func: object, init_func: object, reduce_func: object, finalize_func: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of GroupByReducerDataset."""

def ExperimentalGroupByWindowDataset(*, input_dataset: Tensor, key_func_other_arguments: Sequence[TensorLike], reduce_func_other_arguments: Sequence[TensorLike], window_size_func_other_arguments: Sequence[TensorLike], key_func: object, reduce_func: object, window_size_func: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of GroupByWindowDataset."""

def ExperimentalIgnoreErrorsDataset(*, input_dataset: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of IgnoreErrorsDataset."""

def ExperimentalIteratorGetDevice(*, resource: Tensor, name: str | None = None) -> Tensor:
    """An earlier name of IteratorGetDevice."""

def ExperimentalLMDBDataset(*, filenames: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of LMDBDataset."""

def ExperimentalLatencyStatsDataset(*, input_dataset: Tensor, tag: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of LatencyStatsDataset."""

def ExperimentalMapAndBatchDataset(*, input_dataset: Tensor, other_arguments: Sequence[TensorLike], batch_size: TensorLike, num_parallel_calls: TensorLike, drop_remainder: TensorLike, f: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], preserve_cardinality: bool | None = False, name: str | None = None) -> Tensor:
    """An earlier name of MapAndBatchDataset."""

def ExperimentalMapDataset(*, input_dataset: Tensor, other_arguments: Sequence[TensorLike], f: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], use_inter_op_parallelism: bool | None = True, preserve_cardinality: bool | None = False, name: str | None = None) -> Tensor:
    """An earlier name of MapDataset."""

def ExperimentalMatchingFilesDataset(*, patterns: TensorLike, name: str | None = None) -> Tensor:
    """An earlier name of MatchingFilesDataset."""

def ExperimentalMaxIntraOpParallelismDataset(*, input_dataset: Tensor, max_intra_op_parallelism: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of MaxIntraOpParallelismDataset."""

def ExperimentalNonSerializableDataset(*, input_dataset: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of NonSerializableDataset."""

def ExperimentalParallelInterleaveDataset(*, input_dataset: Tensor, other_arguments: Sequence[TensorLike], cycle_length: TensorLike, block_length: TensorLike, sloppy: TensorLike, buffer_output_elements: TensorLike, prefetch_input_elements: TensorLike, f: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of ParallelInterleaveDataset."""

def ExperimentalParseExampleDataset(*, input_dataset: Tensor, num_parallel_calls: TensorLike, dense_defaults: Sequence[TensorLike], sparse_keys: Sequence[str | bytes], dense_keys: Sequence[str | bytes], sparse_types: Sequence[DTypeLike], dense_shapes: Sequence[ShapeLike], output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], sloppy: bool | None = False, name: str | None = None) -> Tensor:
    """An earlier name of ParseExampleDataset."""

def ExperimentalPrivateThreadPoolDataset(*, input_dataset: Tensor, num_threads: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of PrivateThreadPoolDataset."""

def ExperimentalRandomDataset(*, seed: TensorLike, seed2: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of RandomDataset."""

def ExperimentalRebatchDataset(*, input_dataset: Tensor, num_replicas: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], use_fallback: bool | None = True, name: str | None = None) -> Tensor:
    """An earlier name of RebatchDataset."""

def ExperimentalScanDataset(*, input_dataset: Tensor, initial_state: Sequence[TensorLike], other_arguments: Sequence[TensorLike], f: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], preserve_cardinality: bool | None = False, name: str | None = None) -> Tensor:
    """An earlier name of ScanDataset."""

def ExperimentalSetStatsAggregatorDataset(*, input_dataset: Tensor, stats_aggregator: Tensor, tag: TensorLike, counter_prefix: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of SetStatsAggregatorDataset."""

def ExperimentalSleepDataset(*, input_dataset: Tensor, sleep_microseconds: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of SleepDataset."""

def ExperimentalSlidingWindowDataset(*, input_dataset: Tensor, window_size: TensorLike, window_shift: TensorLike, window_stride: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of SlidingWindowDataset."""

def ExperimentalSqlDataset(*, driver_name: TensorLike, data_source_name: TensorLike, query: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of SqlDataset."""

def ExperimentalStatsAggregatorHandle(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """An earlier name of StatsAggregatorHandle."""

def ExperimentalStatsAggregatorSummary(*, iterator: Tensor, name: str | None = None) -> Tensor:
    """An earlier name of StatsAggregatorSummary."""

def ExperimentalTakeWhileDataset(*, input_dataset: Tensor, other_arguments: Sequence[TensorLike], predicate: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of TakeWhileDataset."""

def ExperimentalThreadPoolDataset(*, input_dataset: Tensor, thread_pool: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of ThreadPoolDataset."""

def ExperimentalThreadPoolHandle(*, num_threads: int, display_name: str | bytes, max_intra_op_parallelism: int | None = 1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """An earlier name of ThreadPoolHandle."""

def ExperimentalUnbatchDataset(*, input_dataset: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of UnbatchDataset."""

def ExperimentalUniqueDataset(*, input_dataset: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """An earlier name of UniqueDataset."""

def FilterByLastComponentDataset(*, input_dataset: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements whose last component is true, without this component."""

def FilterDataset(*, input_dataset: Tensor, other_arguments: Sequence[TensorLike], predicate: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements for which `predicate` yields true."""

def FixedLengthRecordDataset(*, filenames: TensorLike, header_bytes: TensorLike, record_bytes: TensorLike, footer_bytes: TensorLike, buffer_size: TensorLike, name: str | None = None) -> Tensor:
    """Makes a dataset of the records of `record_bytes` bytes between header and footer of the files, one after the other. A file with a part of a record is an error; `buffer_size` has no effect."""

def FixedLengthRecordDatasetV2(*, filenames: TensorLike, header_bytes: TensorLike, record_bytes: TensorLike, footer_bytes: TensorLike, buffer_size: TensorLike, compression_type: TensorLike, name: str | None = None) -> Tensor:
    """Does what FixedLengthRecordDataset does, for files that may be compressed: `compression_type` is empty, `ZLIB` or `GZIP`."""

def FlatMapDataset(*, input_dataset: Tensor, other_arguments: Sequence[TensorLike], f: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the datasets that `f` makes of the elements of the input, one after the other."""

def GeneratorDataset(*, init_func_other_args: Sequence[TensorLike], next_func_other_args: Sequence[TensorLike], finalize_func_other_args: Sequence[TensorLike], init_func: object, next_func: object, finalize_func: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the results of `next_func`, which is called with the results of `init_func` until it fails with OutOfRange; then `finalize_func` is called with them. Each function also gets its `other_args`."""

def GroupByReducerDataset(*, input_dataset: Tensor, key_func_other_arguments: Sequence[TensorLike], init_func_other_arguments: Sequence[TensorLike], reduce_func_other_arguments: Sequence[TensorLike], finalize_func_other_arguments: Sequence[TensorLike], key_func: object, init_func: object, reduce_func: object, finalize_func: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset with one element for each value of `key_func`: the result of `finalize_func` for the state that `init_func` makes of the key, after `reduce_func` was applied to the state and each element."""

def GroupByWindowDataset(*, input_dataset: Tensor, key_func_other_arguments: Sequence[TensorLike], reduce_func_other_arguments: Sequence[TensorLike], window_size_func_other_arguments: Sequence[TensorLike], key_func: object, reduce_func: object, window_size_func: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the datasets that `reduce_func` makes of a key and a dataset of as many elements of this key as `window_size_func` says; at the end of the input, of fewer."""

def IgnoreErrorsDataset(*, input_dataset: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input without those in whose place the input fails."""

def InterleaveDataset(*, input_dataset: Tensor, other_arguments: Sequence[TensorLike], cycle_length: TensorLike, block_length: TensorLike, f: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the datasets that `f` makes of the elements of the input, taken in turn: `block_length` from each of `cycle_length` datasets."""

def Iterator(*, shared_name: str | bytes, container: str | bytes, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Returns the handle of an iterator, which MakeIterator initializes. It lives as long as the session."""

def IteratorFromStringHandle(*, string_handle: TensorLike, output_types: Sequence[DTypeLike] | None = (), output_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> Tensor:
    """Returns the handle of an iterator of the session from its string. The iterator must match the declared spec, if there is one."""

def IteratorFromStringHandleV2(*, string_handle: TensorLike, output_types: Sequence[DTypeLike] | None = (), output_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> Tensor:
    """Returns the handle of an iterator of the session from its string. The iterator must match the declared spec, if there is one."""

def IteratorGetDevice(*, resource: Tensor, name: str | None = None) -> Tensor:
    """Returns the name of the device of the iterator."""

def IteratorGetNext(*, iterator: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> list[Tensor]:
    """Returns the components of the next element. Fails with OutOfRange at the end of the sequence."""

def IteratorGetNextAsOptional(*, iterator: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Returns the next element as an optional, which is empty at the end of the sequence."""

def IteratorGetNextSync(*, iterator: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> list[Tensor]:
    """Does what IteratorGetNext does."""

def IteratorToStringHandle(*, resource_handle: Tensor, name: str | None = None) -> Tensor:
    """Returns the handle as a string, which can be fed."""

def IteratorV2(*, shared_name: str | bytes, container: str | bytes, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Returns the handle of an iterator, which MakeIterator initializes. It lives as long as the session, and is shared between nodes with the same `shared_name`."""

def LMDBDataset(*, filenames: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Fails: datasets of LMDB files are not supported."""

def LatencyStatsDataset(*, input_dataset: Tensor, tag: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input that reports the microseconds until each element came, as a histogram of name `tag`."""

def MakeIterator(*, dataset: Tensor, iterator: Tensor, name: str | None = None) -> Operation:
    """Lets the iterator begin with the first element of `dataset`, whose elements must match its spec."""

def MapAndBatchDataset(*, input_dataset: Tensor, other_arguments: Sequence[TensorLike], batch_size: TensorLike, num_parallel_calls: TensorLike, drop_remainder: TensorLike, f: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], preserve_cardinality: bool | None = False, name: str | None = None) -> Tensor:
    """Makes a dataset of batches of `batch_size` results of `f`, stacked along a new first dimension, with up to `num_parallel_calls` calls at a time; -1: as many as pay, at most as there are threads. The last batch may have fewer rows, or is left out if `drop_remainder` is true."""

def MapDataset(*, input_dataset: Tensor, other_arguments: Sequence[TensorLike], f: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], use_inter_op_parallelism: bool | None = True, preserve_cardinality: bool | None = False, name: str | None = None) -> Tensor:
    """Makes a dataset of the results of `f` for each element of the input, followed by `other_arguments`. An OutOfRange error of `f` ends the sequence, unless `preserve_cardinality` is set."""

def MatchingFilesDataset(*, patterns: TensorLike, name: str | None = None) -> Tensor:
    """Makes a dataset of the names of the files that match the patterns: for each pattern in alphabetical order. If no file matches any pattern, iteration fails with NotFound."""

def MaxIntraOpParallelismDataset(*, input_dataset: Tensor, max_intra_op_parallelism: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input. TensorFlow runs its kernels with at most `max_intra_op_parallelism` threads; here the session decides."""

def ModelDataset(*, input_dataset: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], algorithm: int | None = 0, cpu_budget: int | None = 0, name: str | None = None) -> Tensor:
    """Has the elements of the input. Sizes of buffers and parallelism that the program leaves open are chosen while it is iterated over, so that the consumer waits as little as possible. They use at most `cpu_budget` threads; 0: all of the process."""

def MultiDeviceIterator(*, devices: Sequence[str | bytes], shared_name: str | bytes, container: str | bytes, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Returns the handle of an iterator whose elements are dealt out to `devices` in turn. MultiDeviceIteratorInit initializes it."""

def MultiDeviceIteratorFromStringHandle(*, string_handle: TensorLike, output_types: Sequence[DTypeLike] | None = (), output_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> Tensor:
    """Returns the handle of a multi-device iterator of the session from its string. The iterator must match the declared spec, if there is one."""

def MultiDeviceIteratorGetNextFromShard(*, multi_device_iterator: Tensor, shard_num: TensorLike, incarnation_id: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> list[Tensor]:
    """Returns the components of the next element of device number `shard_num`. Fails with OutOfRange at the end of the sequence, and if the iterator was initialized again since it returned `incarnation_id`."""

def MultiDeviceIteratorInit(*, dataset: Tensor, multi_device_iterator: Tensor, max_buffer_size: TensorLike, name: str | None = None) -> Tensor:
    """Lets the iterator begin with the first element of `dataset`, and prepare up to `max_buffer_size` elements for each device. Returns the number of this initialization."""

def MultiDeviceIteratorToStringHandle(*, multi_device_iterator: Tensor, name: str | None = None) -> Tensor:
    """Returns the handle as a string, which can be fed."""

def NonSerializableDataset(*, input_dataset: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset with the elements of the input, which has no form as a graph."""

def OneShotIterator(*, dataset_factory: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns the handle of an iterator of the dataset that `dataset_factory`, a function without arguments, returns. It runs through the dataset once in a session."""

def OptimizeDataset(*, input_dataset: Tensor, optimizations: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], optimization_configs: Sequence[str | bytes] | None = (), name: str | None = None) -> Tensor:
    """Makes the dataset of the input's pipeline with the rewrites that `optimizations` names: `shuffle_and_repeat_fusion` makes a repeat directly behind a reshuffling shuffle one stage with it, which changes the order of elements; `noop_elimination` leaves out stages without effect. The other rewrites of TensorFlow change only its speed."""

def PaddedBatchDataset(*, input_dataset: Tensor, batch_size: TensorLike, padded_shapes: Sequence[TensorLike], padding_values: Sequence[TensorLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of batches of `batch_size` elements of the input, each padded to `padded_shapes` by `padding_values`. A dimension of -1 is as large as in the largest element of the batch."""

def PaddedBatchDatasetV2(*, input_dataset: Tensor, batch_size: TensorLike, padded_shapes: Sequence[TensorLike], padding_values: Sequence[TensorLike], drop_remainder: TensorLike, output_shapes: Sequence[ShapeLike], parallel_copy: bool | None = False, name: str | None = None) -> Tensor:
    """Makes a dataset of batches of `batch_size` elements of the input, each padded to `padded_shapes` by `padding_values`. If `drop_remainder` is true, a last batch with fewer elements is left out."""

def ParallelInterleaveDataset(*, input_dataset: Tensor, other_arguments: Sequence[TensorLike], cycle_length: TensorLike, block_length: TensorLike, sloppy: TensorLike, buffer_output_elements: TensorLike, prefetch_input_elements: TensorLike, f: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes the dataset that InterleaveDataset makes, with `cycle_length` datasets read at a time, each up to `buffer_output_elements` ahead, and `prefetch_input_elements` more opened. With `sloppy`, a dataset without a ready element is passed over."""

def ParallelInterleaveDatasetV2(*, input_dataset: Tensor, other_arguments: Sequence[TensorLike], cycle_length: TensorLike, block_length: TensorLike, num_parallel_calls: TensorLike, f: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], sloppy: bool | None = False, name: str | None = None) -> Tensor:
    """Makes the dataset that InterleaveDataset makes, with up to `num_parallel_calls` datasets read at a time; -1: as many as pay, at most as there are threads. With `sloppy`, a dataset without a ready element is passed over."""

def ParallelMapDataset(*, input_dataset: Tensor, other_arguments: Sequence[TensorLike], num_parallel_calls: TensorLike, f: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], use_inter_op_parallelism: bool | None = True, sloppy: bool | None = False, preserve_cardinality: bool | None = False, name: str | None = None) -> Tensor:
    """Makes a dataset of the results of `f` for each element of the input, followed by `other_arguments`, with up to `num_parallel_calls` calls at a time; -1: as many as pay, at most as there are threads. With `sloppy`, results come in the order in which calls end."""

def ParseExampleDataset(*, input_dataset: Tensor, num_parallel_calls: TensorLike, dense_defaults: Sequence[TensorLike], sparse_keys: Sequence[str | bytes], dense_keys: Sequence[str | bytes], sparse_types: Sequence[DTypeLike], dense_shapes: Sequence[ShapeLike], output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], sloppy: bool | None = False, name: str | None = None) -> Tensor:
    """Makes a dataset of the features of the Examples in each element of the input, as ParseExample returns them, in the order of their keys. A SparseTensor is a vector of three variants. `num_parallel_calls` and `sloppy` have no effect, because the Examples of an element are parsed in parallel."""

def PrefetchDataset(*, input_dataset: Tensor, buffer_size: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], slack_period: int | None = 0, legacy_autotune: bool | None = True, name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input, up to `buffer_size` of which are made ahead, in the background; -1: as many as it takes that the consumer does not wait."""

def PrivateThreadPoolDataset(*, input_dataset: Tensor, num_threads: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input. TensorFlow makes them with `num_threads` threads of their own; here all pipelines share the threads of the process."""

def RandomDataset(*, seed: TensorLike, seed2: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of random numbers in [0, 2^32), without end. If both seeds are 0, each execution makes another one."""

def RangeDataset(*, start: TensorLike, stop: TensorLike, step: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the numbers from `start` on in steps of `step`, without `stop`. Fails if `step` is 0."""

def RebatchDataset(*, input_dataset: Tensor, num_replicas: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], use_fallback: bool | None = True, name: str | None = None) -> Tensor:
    """Makes a dataset in which each batch of the input is split into `num_replicas` parts of equal size; the last parts may be smaller."""

def ReduceDataset(*, input_dataset: Tensor, initial_state: Sequence[TensorLike], other_arguments: Sequence[TensorLike], f: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], use_inter_op_parallelism: bool | None = True, name: str | None = None) -> list[Tensor]:
    """Applies `f` to the state and each element of the dataset, in order, and returns the last state."""

def RepeatDataset(*, input_dataset: Tensor, count: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset that repeats the input `count` times, or without end if `count` is negative."""

def SamplingDataset(*, input_dataset: Tensor, rate: TensorLike, seed: TensorLike, seed2: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset that takes each element of the input with probability `rate`."""

def ScanDataset(*, input_dataset: Tensor, initial_state: Sequence[TensorLike], other_arguments: Sequence[TensorLike], f: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], preserve_cardinality: bool | None = False, name: str | None = None) -> Tensor:
    """Makes a dataset of the results of `f` for a state and each element of the input. The first results are the next state."""

def SerializeIterator(*, resource_handle: Tensor, name: str | None = None) -> Tensor:
    """Returns the position of the iterator, which must have been initialized."""

def SetStatsAggregatorDataset(*, input_dataset: Tensor, stats_aggregator: Tensor, tag: TensorLike, counter_prefix: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input whose stages report their measurements to `stats_aggregator`, under names that begin with `tag`."""

def ShardDataset(*, input_dataset: Tensor, num_shards: TensorLike, index: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], require_non_empty: bool | None = False, name: str | None = None) -> Tensor:
    """Makes a dataset of every `num_shards`-th element of the input, from element `index` on. With `require_non_empty`, iteration fails if the input has fewer elements than `num_shards`."""

def ShuffleAndRepeatDataset(*, input_dataset: Tensor, buffer_size: TensorLike, seed: TensorLike, seed2: TensorLike, count: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset that repeats the input `count` times, or without end if `count` is -1, and shuffles each repetition. The buffer of `buffer_size` elements takes elements of the next repetitions at the end of each."""

def ShuffleDataset(*, input_dataset: Tensor, buffer_size: TensorLike, seed: TensorLike, seed2: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], reshuffle_each_iteration: bool | None = True, name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input in random order: each is drawn from a buffer of `buffer_size` elements. If `reshuffle_each_iteration` is true, repetitions of the dataset have different orders, which the seeds determine."""

def ShuffleDatasetV2(*, input_dataset: Tensor, buffer_size: TensorLike, seed_generator: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input in random order. Each iteration takes its seeds from `seed_generator`."""

def SkipDataset(*, input_dataset: Tensor, count: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements after the first `count` ones of the input; of none if `count` is negative."""

def SleepDataset(*, input_dataset: Tensor, sleep_microseconds: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input that waits `sleep_microseconds` before each."""

def SlidingWindowDataset(*, input_dataset: Tensor, window_size: TensorLike, window_shift: TensorLike, window_stride: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of batches of `window_size` elements of the input that are `window_stride` apart. A batch begins `window_shift` after the one before."""

def SnapshotDataset(*, input_dataset: Tensor, path: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], compression: str | bytes | None = '', reader_path_prefix: str | bytes | None = '', writer_path_prefix: str | bytes | None = '', shard_size_bytes: int | None = 10737418240, pending_snapshot_expiry_seconds: int | None = 86400, num_reader_threads: int | None = 1, reader_buffer_size: int | None = 1, num_writer_threads: int | None = 1, writer_buffer_size: int | None = 1, name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input. The first iterator writes them to files in a folder of `path` whose name is a hash of the input's graph; once it has taken the last element, other iterators read the files in place of the input. While one writes, for at most `pending_snapshot_expiry_seconds`, others take the elements of the input. Files are compressed if `compression` is `GZIP`, and have elements of about `shard_size_bytes` bytes. `num_writer_threads` files are written at a time, after `writer_buffer_size` elements, and `num_reader_threads` files are read, up to `reader_buffer_size` elements ahead, one element of each in turn. The prefixes are added to the names of the files."""

def SparseTensorSliceDataset(*, indices: TensorLike, values: TensorLike, dense_shape: TensorLike, name: str | None = None) -> Tensor:
    """Makes a dataset of the rows of a SparseTensor, each of which is a SparseTensor with one dimension less: its indices, values and shape. `indices` must be sorted by row."""

def SqlDataset(*, driver_name: TensorLike, data_source_name: TensorLike, query: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the rows of the result of `query` in the SQLite database `data_source_name`. `driver_name` must be `sqlite`; values are converted to the dtypes of the columns as SQLite does."""

def StatsAggregatorHandle(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns the handle of a collector of statistics, which lives as long as the session."""

def StatsAggregatorHandleV2(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns the handle of a collector of statistics that writes events to the writer of StatsAggregatorSetSummaryWriter."""

def StatsAggregatorSetSummaryWriter(*, stats_aggregator: Tensor, summary: Tensor, name: str | None = None) -> Operation:
    """Lets the collector write events to `summary`, if its handle is of StatsAggregatorHandleV2."""

def StatsAggregatorSummary(*, iterator: Tensor, name: str | None = None) -> Tensor:
    """Returns the collected statistics as a serialized Summary; empty if they are written as events."""

def TFRecordDataset(*, filenames: TensorLike, compression_type: TensorLike, buffer_size: TensorLike, name: str | None = None) -> Tensor:
    """Makes a dataset of the records of the files, one after the other. `compression_type` is empty, `ZLIB` or `GZIP`; `buffer_size` has no effect."""

def TakeDataset(*, input_dataset: Tensor, count: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the first `count` elements of the input, or of all if `count` is negative."""

def TakeWhileDataset(*, input_dataset: Tensor, other_arguments: Sequence[TensorLike], predicate: object, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input before the first one for which `predicate` yields false."""

def TensorDataset(*, components: Sequence[TensorLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of one element, whose components are the inputs."""

def TensorSliceDataset(*, components: Sequence[TensorLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the rows of the inputs, which must have equally many. Rows are not copied."""

def TextLineDataset(*, filenames: TensorLike, compression_type: TensorLike, buffer_size: TensorLike, name: str | None = None) -> Tensor:
    """Makes a dataset of the lines of the files, one after the other, without line ends and carriage returns. `compression_type` is empty, `ZLIB` or `GZIP`; `buffer_size` has no effect."""

def ThreadPoolDataset(*, input_dataset: Tensor, thread_pool: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input. TensorFlow makes them with the threads of `thread_pool`; here all pipelines share the threads of the process."""

def ThreadPoolHandle(*, num_threads: int, display_name: str | bytes, max_intra_op_parallelism: int | None = 1, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns the handle of a pool of threads for ThreadPoolDataset, which lives as long as the session."""

def UnbatchDataset(*, input_dataset: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the rows of the elements of the input."""

def UniqueDataset(*, input_dataset: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset of the elements of the input without elements that equal an earlier one."""

def UnwrapDatasetVariant(*, input_handle: Tensor, name: str | None = None) -> Tensor:
    """Returns the dataset in a value that WrapDatasetVariant has made."""

def WindowDataset(*, input_dataset: Tensor, size: TensorLike, shift: TensorLike, stride: TensorLike, drop_remainder: TensorLike, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset whose elements are datasets of `size` elements of the input, one for each component. The elements of a window are `stride` apart, and a window begins `shift` after the one before."""

def WrapDatasetVariant(*, input_handle: Tensor, name: str | None = None) -> Tensor:
    """Returns a value that holds the dataset and that only UnwrapDatasetVariant understands."""

def ZipDataset(*, input_datasets: Sequence[Tensor], output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> Tensor:
    """Makes a dataset whose elements join the components of one element of each input. It ends with the shortest input."""
