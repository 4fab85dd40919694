"""What checkpoints have, and their tensors, without a graph."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.error_traceback import called_by_users
from tinytf.platform import compat, gfile
from tinytf.saving.checkpoint_state import latest_checkpoint


class CheckpointReader:
    """The tensors of one checkpoint, by their names. Thread-safe.

    Errors are those of restoring: NotFoundError for a checkpoint or a name that is not there, DataLossError for damaged files.
    """

    def __init__(self, filepattern: str | bytes) -> None:
        self._reader = _core.CheckpointReader(compat.as_bytes(filepattern))

    def has_tensor(self, tensor_str: str | bytes) -> bool:
        """Whether there is a tensor of that name."""
        return self._reader.has(compat.as_bytes(tensor_str))

    def get_tensor(self, tensor_str: str | bytes) -> Any:
        """The value: an ndarray, or a scalar of NumPy's; parts of it that were saved apart come together."""
        return self._reader.read(compat.as_bytes(tensor_str))

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """Name → sizes."""
        return {_text(name): list(shape) for name, (_, shape) in self._reader.tensors().items()}

    def get_variable_to_dtype_map(self) -> dict[str, dtypes.DType]:
        """Name → dtype."""
        return {_text(name): dtypes.as_dtype(number) for name, (number, _) in self._reader.tensors().items()}

    def debug_string(self) -> bytes:
        """A line for each tensor, or each part of one: its name, type and shape."""
        return self._reader.debug_string()


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


@tf_export("train.NewCheckpointReader")
@called_by_users
def new_checkpoint_reader(filepattern: str | bytes) -> CheckpointReader:
    """A reader of the checkpoint of that name, of either format."""
    return CheckpointReader(filepattern)


@tf_export("train.load_checkpoint")
@called_by_users
def load_checkpoint(ckpt_dir_or_file: str) -> CheckpointReader:
    """A reader of that checkpoint, or of the latest one of a folder: ValueError if the folder's file does not name one."""
    return CheckpointReader(checkpoint_of(ckpt_dir_or_file))


@tf_export("train.load_variable")
@called_by_users
def load_variable(ckpt_dir_or_file: str, name: str) -> Any:
    """The value of a variable in a checkpoint, which may be called as its tensor is (`v:0`)."""
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


@tf_export("train.list_variables")
@called_by_users
def list_variables(ckpt_dir_or_file: str) -> list[tuple[str, list[int]]]:
    """Names and shapes of the variables in a checkpoint, in the order of their names."""
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def checkpoint_of(folder_or_prefix: str) -> str:
    """The checkpoint itself, or the latest one of a folder. ValueError if the folder's file does not name one."""
    if not gfile.IsDirectory(folder_or_prefix):
        return folder_or_prefix
    latest = latest_checkpoint(folder_or_prefix)
    if latest is None:
        raise ValueError(f"Couldn't find 'checkpoint' file or checkpoints in given directory {folder_or_prefix}")
    return latest
