"""Reads checkpoints without a graph."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf._src.checkpoint.checkpoint_state import latest_checkpoint
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.values import dtypes
from tinytf._src.platform import compat, gfile


class CheckpointReader:
    """Reads the tensors of one checkpoint by name. Thread-safe.

    Raises:
      NotFoundError: if the checkpoint or a tensor does not exist.
      DataLossError: for damaged files.
    """

    def __init__(self, filepattern: str | bytes) -> None:
        self._reader = _core.CheckpointReader(compat.as_bytes(filepattern))

    def has_tensor(self, tensor_str: str | bytes) -> bool:
        """Returns whether the checkpoint has a tensor of that name."""
        return self._reader.has(compat.as_bytes(tensor_str))

    def get_tensor(self, tensor_str: str | bytes) -> Any:
        """Returns a tensor's value, a NumPy array or scalar; slices saved separately are joined."""
        return self._reader.read(compat.as_bytes(tensor_str))

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """Returns a dict from names to shapes, lists of ints."""
        return {_text(name): list(shape) for name, (_, shape) in self._reader.tensors().items()}

    def get_variable_to_dtype_map(self) -> dict[str, dtypes.DType]:
        """Returns a dict from names to dtypes."""
        return {_text(name): dtypes.as_dtype(number) for name, (number, _) in self._reader.tensors().items()}

    def debug_string(self) -> bytes:
        """Returns a line for each tensor or slice, with name, dtype and shape."""
        return self._reader.debug_string()


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


@tf_export("train.NewCheckpointReader")
@called_by_users
def new_checkpoint_reader(filepattern: str | bytes) -> CheckpointReader:
    """Returns a reader of a checkpoint in either format.

    Args:
      filepattern: path prefix of the checkpoint.

    Returns:
      A `CheckpointReader`.

    Raises:
      NotFoundError: if the checkpoint does not exist.
    """
    return CheckpointReader(filepattern)


@tf_export("train.load_checkpoint")
@called_by_users
def load_checkpoint(ckpt_dir_or_file: str) -> CheckpointReader:
    """Returns a reader of a checkpoint.

    Args:
      ckpt_dir_or_file: path prefix of a checkpoint, or a directory whose latest checkpoint is used.

    Returns:
      A `CheckpointReader`.

    Raises:
      ValueError: if the directory has no latest checkpoint.
      NotFoundError: if the checkpoint does not exist.
    """
    return CheckpointReader(checkpoint_of(ckpt_dir_or_file))


@tf_export("train.load_variable")
@called_by_users
def load_variable(ckpt_dir_or_file: str, name: str) -> Any:
    """Returns the value of a variable in a checkpoint.

    Args:
      ckpt_dir_or_file: as of `load_checkpoint`.
      name: str, the variable's name; a suffix ":0" is ignored.

    Returns:
      A NumPy array or scalar.

    Raises:
      NotFoundError: if there is no such variable.
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


@tf_export("train.list_variables")
@called_by_users
def list_variables(ckpt_dir_or_file: str) -> list[tuple[str, list[int]]]:
    """Returns the (name, shape) pairs of all variables in a checkpoint, ordered by name; argument as of
    `load_checkpoint`."""
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def checkpoint_of(folder_or_prefix: str) -> str:
    """Returns a checkpoint's name unchanged, or the latest checkpoint of a directory. ValueError if the directory has
    none."""
    if not gfile.IsDirectory(folder_or_prefix):
        return folder_or_prefix
    latest = latest_checkpoint(folder_or_prefix)
    if latest is None:
        raise ValueError(f"Couldn't find 'checkpoint' file or checkpoints in given directory {folder_or_prefix}")
    return latest
