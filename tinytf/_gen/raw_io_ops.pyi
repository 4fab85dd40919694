"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def MatchingFiles(*, pattern: TensorLike, name: str | None = None) -> Tensor:
    """The names of the files that match a pattern, or one of several, in alphabetical order. `*` and `?` match no slash; what stands before the first of them names a folder that must be there."""

def MergeV2Checkpoints(*, checkpoint_prefixes: TensorLike, destination_prefix: TensorLike, delete_old_dirs: bool | None = True, name: str | None = None) -> Operation:
    """Makes one checkpoint of several, whose data files it takes over. InvalidArgument, and nothing changed, where two of them have a tensor of the same name that is not a part of one."""

def ReadFile(*, filename: TensorLike, name: str | None = None) -> Tensor:
    """The bytes of a file."""

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

def WriteFile(*, filename: TensorLike, contents: TensorLike, name: str | None = None) -> Operation:
    """Writes a file of those bytes, in place of one that is there, and the folders that it is to lie in."""
