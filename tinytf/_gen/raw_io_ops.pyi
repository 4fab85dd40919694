"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.io_ops import _GenerateVocabRemappingOutputs, _ReaderReadOutputs, _ReaderReadUpToOutputs, _ReaderReadUpToV2Outputs, _ReaderReadV2Outputs

def FixedLengthRecordReader(*, record_bytes: int, header_bytes: int | None = 0, footer_bytes: int | None = 0, hop_bytes: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a reader of records of `record_bytes` bytes: the key is the file's name, a colon and the record's number, from 0 on. Headers and footers of files are left out. Records begin `hop_bytes` apart, or one behind the other if that is 0. `encoding` is the files' compression: nothing, ZLIB or GZIP."""

def FixedLengthRecordReaderV2(*, record_bytes: int, header_bytes: int | None = 0, footer_bytes: int | None = 0, hop_bytes: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', encoding: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a reader of records of `record_bytes` bytes: the key is the file's name, a colon and the record's number, from 0 on. Headers and footers of files are left out. Records begin `hop_bytes` apart, or one behind the other if that is 0. `encoding` is the files' compression: nothing, ZLIB or GZIP."""

def GenerateVocabRemapping(*, new_vocab_file: TensorLike, old_vocab_file: TensorLike, new_vocab_offset: int, num_new_vocab: int, old_vocab_size: int | None = -1, name: str | None = None) -> _GenerateVocabRemappingOutputs:
    """For `num_new_vocab` words of a file that has one a line, from line `new_vocab_offset` on, their lines in another file, of which the first `old_vocab_size` count (-1: all); -1 for a word that it does not have. And how many it has."""

def IdentityReader(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a reader that yields each work unit as key and as value."""

def IdentityReaderV2(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a reader that yields each work unit as key and as value."""

def LoadAndRemapMatrix(*, ckpt_path: TensorLike, old_tensor_name: TensorLike, row_remapping: TensorLike, col_remapping: TensorLike, initializing_values: TensorLike, num_rows: int, num_cols: int, max_rows_in_memory: int | None = -1, name: str | None = None) -> Tensor:
    """A matrix of a checkpoint of SaveV2 with its rows and columns in other places: entry i of a remapping says where row (column) i comes from, and is negative for one that is new; without entries all columns stay. What is new has the initializing values, row by row, of which there must be as many. No more than `max_rows_in_memory` rows are read at a time, if that is above 0."""

def MatchingFiles(*, pattern: TensorLike, name: str | None = None) -> Tensor:
    """The names of the files that match a pattern, or one of several, in alphabetical order. `*` and `?` match no slash; what stands before the first of them names a folder that must be there."""

def MergeV2Checkpoints(*, checkpoint_prefixes: TensorLike, destination_prefix: TensorLike, delete_old_dirs: bool | None = True, name: str | None = None) -> Operation:
    """Makes one checkpoint of several, whose data files it takes over. InvalidArgument, and nothing changed, where two of them have a tensor of the same name that is not a part of one."""

def ReadFile(*, filename: TensorLike, name: str | None = None) -> Tensor:
    """The bytes of a file."""

def ReaderNumRecordsProduced(*, reader_handle: RefLike, name: str | None = None) -> Tensor:
    """How many records the reader has yielded."""

def ReaderNumRecordsProducedV2(*, reader_handle: Tensor, name: str | None = None) -> Tensor:
    """How many records the reader has yielded."""

def ReaderNumWorkUnitsCompleted(*, reader_handle: RefLike, name: str | None = None) -> Tensor:
    """How many work units the reader has come to the end of."""

def ReaderNumWorkUnitsCompletedV2(*, reader_handle: Tensor, name: str | None = None) -> Tensor:
    """How many work units the reader has come to the end of."""

def ReaderRead(*, reader_handle: RefLike, queue_handle: RefLike, name: str | None = None) -> _ReaderReadOutputs:
    """The next record of the reader, which takes its work units from the queue, waiting for one. OutOfRange if there is no record left and the queue is closed and empty."""

def ReaderReadUpTo(*, reader_handle: RefLike, queue_handle: RefLike, num_records: TensorLike, name: str | None = None) -> _ReaderReadUpToOutputs:
    """The next records of the reader, up to `num_records` of one work unit, one at least; otherwise as the op that reads one."""

def ReaderReadUpToV2(*, reader_handle: Tensor, queue_handle: Tensor, num_records: TensorLike, name: str | None = None) -> _ReaderReadUpToV2Outputs:
    """The next records of the reader, up to `num_records` of one work unit, one at least; otherwise as the op that reads one."""

def ReaderReadV2(*, reader_handle: Tensor, queue_handle: Tensor, name: str | None = None) -> _ReaderReadV2Outputs:
    """The next record of the reader, which takes its work units from the queue, waiting for one. OutOfRange if there is no record left and the queue is closed and empty."""

def ReaderReset(*, reader_handle: RefLike, name: str | None = None) -> Operation:
    """Makes the reader forget all that it has read."""

def ReaderResetV2(*, reader_handle: Tensor, name: str | None = None) -> Operation:
    """Makes the reader forget all that it has read."""

def ReaderRestoreState(*, reader_handle: RefLike, state: TensorLike, name: str | None = None) -> Operation:
    """Brings the reader to where another was, as ReaderSerializeStateV2 told it."""

def ReaderRestoreStateV2(*, reader_handle: Tensor, state: TensorLike, name: str | None = None) -> Operation:
    """Brings the reader to where another was, as ReaderSerializeStateV2 told it."""

def ReaderSerializeState(*, reader_handle: RefLike, name: str | None = None) -> Tensor:
    """Where the reader is, as bytes for ReaderRestoreStateV2. Unimplemented for readers of several records a file."""

def ReaderSerializeStateV2(*, reader_handle: Tensor, name: str | None = None) -> Tensor:
    """Where the reader is, as bytes for ReaderRestoreStateV2. Unimplemented for readers of several records a file."""

def RecordInput(*, file_pattern: str | bytes, file_random_seed: int | None = 301, file_shuffle_shift_ratio: float | None = 0, file_buffer_size: int | None = 10000, file_parallelism: int | None = 16, batch_size: int | None = 32, compression_type: str | bytes | None = '', name: str | None = None) -> Tensor:
    """The next `batch_size` records of all files that match, a vector. Threads read the files again and again into a buffer of `file_buffer_size` records, from which they are taken at random."""

def Restore(*, file_pattern: TensorLike, tensor_name: TensorLike, dt: DTypeLike, preferred_shard: int | None = -1, name: str | None = None) -> Tensor:
    """The tensor of that name in the files of Save that match `file_pattern`."""

def RestoreSlice(*, file_pattern: TensorLike, tensor_name: TensorLike, shape_and_slice: TensorLike, dt: DTypeLike, preferred_shard: int | None = -1, name: str | None = None) -> Tensor:
    """Restore for a part of a tensor, named as for RestoreV2."""

def RestoreV2(*, prefix: TensorLike, tensor_names: TensorLike, shape_and_slices: TensorLike, dtypes: Sequence[DTypeLike], name: str | None = None) -> list[Tensor]:
    """The tensors of these names in a checkpoint, or the parts of them that `shape_and_slices` names. NotFound for a name that is not in it, InvalidArgument for another dtype or shape than was saved, DataLoss for damaged files. Reads checkpoints of Save, too."""

def Save(*, filename: TensorLike, tensor_names: TensorLike, data: Sequence[TensorLike], name: str | None = None) -> Operation:
    """Saves the tensors under their names in one file of the format that checkpoints had before SaveV2."""

def SaveSlices(*, filename: TensorLike, tensor_names: TensorLike, shapes_and_slices: TensorLike, data: Sequence[TensorLike], name: str | None = None) -> Operation:
    """Save for parts of larger tensors, named as for SaveV2."""

def SaveV2(*, prefix: TensorLike, tensor_names: TensorLike, shape_and_slices: TensorLike, tensors: Sequence[TensorLike], name: str | None = None) -> Operation:
    """Saves the tensors under their names in a checkpoint of one data file and an index, which comes last, so that the checkpoint is there as a whole or not at all. An entry of `shape_and_slices` is empty, or says of which part of a larger tensor the value is: "5 2 0,3:-"."""

def ShardedFilename(*, basename: TensorLike, shard: TensorLike, num_shards: TensorLike, name: str | None = None) -> Tensor:
    """The name of one of several files that belong together: BASENAME-00001-of-00003."""

def ShardedFilespec(*, basename: TensorLike, num_shards: TensorLike, name: str | None = None) -> Tensor:
    """A pattern for the names of several files that belong together: BASENAME-?????-of-00003."""

def TFRecordReader(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', compression_type: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a reader of files of records: the key is the file's name, a colon and where the record begins. `compression_type` is that of the files: nothing, ZLIB or GZIP."""

def TFRecordReaderV2(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', compression_type: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a reader of files of records: the key is the file's name, a colon and where the record begins. `compression_type` is that of the files: nothing, ZLIB or GZIP."""

def TextLineReader(*, skip_header_lines: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a reader of lines: the key is the file's name, a colon and the line's number, from 1 on. The first `skip_header_lines` lines of each file are left out."""

def TextLineReaderV2(*, skip_header_lines: int | None = 0, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a reader of lines: the key is the file's name, a colon and the line's number, from 1 on. The first `skip_header_lines` lines of each file are left out."""

def WholeFileReader(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a reader of files: the key is the name, the value what is in the file."""

def WholeFileReaderV2(*, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to a reader of files: the key is the name, the value what is in the file."""

def WriteFile(*, filename: TensorLike, contents: TensorLike, name: str | None = None) -> Operation:
    """Writes a file of those bytes, in place of one that is there, and the folders that it is to lie in."""
