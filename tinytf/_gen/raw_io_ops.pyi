"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.io_ops import _GenerateVocabRemappingOutputs, _ReaderReadOutputs, _ReaderReadUpToOutputs, _ReaderReadUpToV2Outputs, _ReaderReadV2Outputs

def FixedLengthRecordReader(*, record_bytes: int, header_bytes: int | None = 0, footer_bytes: int | None = 0, hop_bytes: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a reader of records of `record_bytes` bytes. The key is the name of the file, a colon and the index of the record, from 0 on. The first `header_bytes` and the last `footer_bytes` of each file are skipped. Records begin `hop_bytes` apart, or follow one another if that is 0. `encoding` is the compression of the files: "", "ZLIB" or "GZIP"."""

def FixedLengthRecordReaderV2(*, record_bytes: int, header_bytes: int | None = 0, footer_bytes: int | None = 0, hop_bytes: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', encoding: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a reader of records of `record_bytes` bytes. The key is the name of the file, a colon and the index of the record, from 0 on. The first `header_bytes` and the last `footer_bytes` of each file are skipped. Records begin `hop_bytes` apart, or follow one another if that is 0. `encoding` is the compression of the files: "", "ZLIB" or "GZIP"."""

def GenerateVocabRemapping(*, new_vocab_file: TensorLike, old_vocab_file: TensorLike, new_vocab_offset: int, num_new_vocab: int, old_vocab_size: int | None = -1, name: str | None = None) -> _GenerateVocabRemappingOutputs:
    """Finds for `num_new_vocab` lines of the vocabulary file `new_vocab_file`, from line `new_vocab_offset` on, the lines of `old_vocab_file` with the same words, or -1 for words that are missing there. Only the first `old_vocab_size` lines of the old file count, or all if that is -1. `num_present` is the number of words found."""

def IdentityReader(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a reader that produces each work unit as key and value."""

def IdentityReaderV2(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a reader that produces each work unit as key and value."""

def LoadAndRemapMatrix(*, ckpt_path: TensorLike, old_tensor_name: TensorLike, row_remapping: TensorLike, col_remapping: TensorLike, initializing_values: TensorLike, num_rows: int, num_cols: int, max_rows_in_memory: int | None = -1, name: str | None = None) -> Tensor:
    """Loads the matrix `old_tensor_name` from a checkpoint of SaveV2 and permutes its rows and columns. Entry i of `row_remapping` (`col_remapping`) is the saved index of output row (column) i, or negative for a new one; an empty `col_remapping` keeps all columns. New elements are taken from `initializing_values` in row-major order, which must have exactly as many; if `max_rows_in_memory` is positive, at most so many rows are read at a time."""

def MatchingFiles(*, pattern: TensorLike, name: str | None = None) -> Tensor:
    """Returns the names of the files that match `pattern`, a pattern or several, in alphabetical order. `*` and `?` do not match a slash; the directory before the first of them must exist."""

def MergeV2Checkpoints(*, checkpoint_prefixes: TensorLike, destination_prefix: TensorLike, delete_old_dirs: bool | None = True, name: str | None = None) -> Operation:
    """Merges the checkpoints `checkpoint_prefixes` into one at `destination_prefix`, moving their data files. Fails with InvalidArgument, without any effect, if two of them have a tensor with the same name that is not sliced."""

def ReadFile(*, filename: TensorLike, name: str | None = None) -> Tensor:
    """Returns the contents of the file `filename`."""

def ReaderNumRecordsProduced(*, reader_handle: RefLike, name: str | None = None) -> Tensor:
    """Returns the number of records that the reader has produced."""

def ReaderNumRecordsProducedV2(*, reader_handle: Tensor, name: str | None = None) -> Tensor:
    """Returns the number of records that the reader has produced."""

def ReaderNumWorkUnitsCompleted(*, reader_handle: RefLike, name: str | None = None) -> Tensor:
    """Returns the number of work units that the reader has finished."""

def ReaderNumWorkUnitsCompletedV2(*, reader_handle: Tensor, name: str | None = None) -> Tensor:
    """Returns the number of work units that the reader has finished."""

def ReaderRead(*, reader_handle: RefLike, queue_handle: RefLike, name: str | None = None) -> _ReaderReadOutputs:
    """Returns the next record of the reader as `key` and `value`. When a work unit is finished, the reader takes the next one from the queue, waiting for it. Fails with OutOfRange if there is no record left and the queue is closed and empty."""

def ReaderReadUpTo(*, reader_handle: RefLike, queue_handle: RefLike, num_records: TensorLike, name: str | None = None) -> _ReaderReadUpToOutputs:
    """Returns the next records of one work unit of the reader as `keys` and `values`: at most `num_records`, but at least one. It waits and fails as ReaderRead does."""

def ReaderReadUpToV2(*, reader_handle: Tensor, queue_handle: Tensor, num_records: TensorLike, name: str | None = None) -> _ReaderReadUpToV2Outputs:
    """Returns the next records of one work unit of the reader as `keys` and `values`: at most `num_records`, but at least one. It waits and fails as ReaderRead does."""

def ReaderReadV2(*, reader_handle: Tensor, queue_handle: Tensor, name: str | None = None) -> _ReaderReadV2Outputs:
    """Returns the next record of the reader as `key` and `value`. When a work unit is finished, the reader takes the next one from the queue, waiting for it. Fails with OutOfRange if there is no record left and the queue is closed and empty."""

def ReaderReset(*, reader_handle: RefLike, name: str | None = None) -> Operation:
    """Resets the reader to its initial state."""

def ReaderResetV2(*, reader_handle: Tensor, name: str | None = None) -> Operation:
    """Resets the reader to its initial state."""

def ReaderRestoreState(*, reader_handle: RefLike, state: TensorLike, name: str | None = None) -> Operation:
    """Restores the state of a reader from `state`, which ReaderSerializeStateV2 has returned."""

def ReaderRestoreStateV2(*, reader_handle: Tensor, state: TensorLike, name: str | None = None) -> Operation:
    """Restores the state of a reader from `state`, which ReaderSerializeStateV2 has returned."""

def ReaderSerializeState(*, reader_handle: RefLike, name: str | None = None) -> Tensor:
    """Returns the state of the reader as bytes for ReaderRestoreStateV2. Fails with Unimplemented if a file holds several records."""

def ReaderSerializeStateV2(*, reader_handle: Tensor, name: str | None = None) -> Tensor:
    """Returns the state of the reader as bytes for ReaderRestoreStateV2. Fails with Unimplemented if a file holds several records."""

def RecordInput(*, file_pattern: str | bytes, file_random_seed: int | None = 301, file_shuffle_shift_ratio: float | None = 0, file_buffer_size: int | None = 10000, file_parallelism: int | None = 16, batch_size: int | None = 32, compression_type: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns the next `batch_size` records of all files that match `file_pattern`, as a vector. Threads read the files repeatedly into a buffer of `file_buffer_size` records, from which records are taken at random."""

def Restore(*, file_pattern: TensorLike, tensor_name: TensorLike, dt: DTypeLike, preferred_shard: int | None = -1, name: str | None = None) -> Tensor:
    """Restores the tensor `tensor_name` from the files of Save that match `file_pattern`."""

def RestoreSlice(*, file_pattern: TensorLike, tensor_name: TensorLike, shape_and_slice: TensorLike, dt: DTypeLike, preferred_shard: int | None = -1, name: str | None = None) -> Tensor:
    """Restores the slice `shape_and_slice` of the tensor `tensor_name` from the files of Save that match `file_pattern`. The slice is written as for RestoreV2."""

def RestoreV2(*, prefix: TensorLike, tensor_names: TensorLike, shape_and_slices: TensorLike, dtypes: Sequence[DTypeLike], name: str | None = None) -> list[Tensor]:
    """Restores the tensors `tensor_names` from a checkpoint of SaveV2 or Save, or the slices of them given by `shape_and_slices`. Fails with NotFound for a name that is not in the checkpoint, with InvalidArgument if the saved dtype or shape differs, and with DataLoss for damaged files."""

def Save(*, filename: TensorLike, tensor_names: TensorLike, data: Sequence[TensorLike], name: str | None = None) -> Operation:
    """Saves `data` under the names `tensor_names` in one file, in the checkpoint format used before SaveV2."""

def SaveSlices(*, filename: TensorLike, tensor_names: TensorLike, shapes_and_slices: TensorLike, data: Sequence[TensorLike], name: str | None = None) -> Operation:
    """Saves `data` as slices of larger tensors in the format of Save. The slices `shapes_and_slices` are written as for SaveV2."""

def SaveV2(*, prefix: TensorLike, tensor_names: TensorLike, shape_and_slices: TensorLike, tensors: Sequence[TensorLike], name: str | None = None) -> Operation:
    """Saves `tensors` under the names `tensor_names` in a checkpoint of one data file and an index. The index is written last, so that the checkpoint is complete or does not exist. Each entry of `shape_and_slices` is empty, or describes the slice of a larger tensor that the value is, for example "5 2 0,3:-"."""

def ShardedFilename(*, basename: TensorLike, shard: TensorLike, num_shards: TensorLike, name: str | None = None) -> Tensor:
    """Builds the name of one file of a sharded set: BASENAME-00001-of-00003."""

def ShardedFilespec(*, basename: TensorLike, num_shards: TensorLike, name: str | None = None) -> Tensor:
    """Builds a pattern that matches the names of a sharded set of files: BASENAME-?????-of-00003."""

def TFRecordReader(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', compression_type: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a reader of TFRecord files. The key is the name of the file, a colon and the offset of the record. `compression_type` is the compression of the files: "", "ZLIB" or "GZIP"."""

def TFRecordReaderV2(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', compression_type: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a reader of TFRecord files. The key is the name of the file, a colon and the offset of the record. `compression_type` is the compression of the files: "", "ZLIB" or "GZIP"."""

def TextLineReader(*, skip_header_lines: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a reader of lines. The key is the name of the file, a colon and the number of the line, from 1 on. The first `skip_header_lines` lines of each file are skipped."""

def TextLineReaderV2(*, skip_header_lines: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a reader of lines. The key is the name of the file, a colon and the number of the line, from 1 on. The first `skip_header_lines` lines of each file are skipped."""

def WholeFileReader(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a reader of whole files. The key is the name of the file, the value its contents."""

def WholeFileReaderV2(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to a reader of whole files. The key is the name of the file, the value its contents."""

def WriteFile(*, filename: TensorLike, contents: TensorLike, name: str | None = None) -> Operation:
    """Writes `contents` to the file `filename`, replacing an existing file and creating missing directories."""
