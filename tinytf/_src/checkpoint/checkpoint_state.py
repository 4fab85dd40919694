"""The checkpoints of a directory: the state file `checkpoint`, and existence, age and deletion of a checkpoint's
files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.checkpoint_files import data_files, files_like
from tinytf._src.checkpoint.durable_files import replace_file
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.logs import tf_logging
from tinytf._src.platform import file_io

_FORMAT_V2 = 2  # format version in SaverDef
_SHARD = re.compile(r"-[\d\?]+-of-\d+$")


def _state_file(folder: str, latest_filename: str | None) -> str:
    return os.path.join(folder, latest_filename or "checkpoint")


@tf_export("train.generate_checkpoint_state_proto")
@called_by_users
def generate_checkpoint_state_proto(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Iterable[str] | None = None,
    all_model_checkpoint_timestamps: Iterable[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> Any:
    """Returns a `CheckpointState` message. If `save_dir` is relative, its paths are made relative to `save_dir`.

    Args:
      save_dir: the directory of the checkpoints.
      model_checkpoint_path: name of the latest checkpoint.
      all_model_checkpoint_paths: names of all checkpoints, oldest first; the latest is appended if missing.
      all_model_checkpoint_timestamps: times of the checkpoints, in seconds since 1970, or None.
      last_preserved_timestamp: time of the last checkpoint that is kept permanently, or None.

    Raises:
      ValueError: if the numbers of times and paths differ.
    """
    paths = list(all_model_checkpoint_paths or ())
    times = list(all_model_checkpoint_timestamps or ())
    if not paths or paths[-1] != model_checkpoint_path:
        tf_logging.info("%s is not in all_model_checkpoint_paths. Manually adding it.", model_checkpoint_path)
        paths.append(model_checkpoint_path)
    if times and len(times) != len(paths):
        raise ValueError(
            "Checkpoint timestamps, if provided, must match checkpoint paths "
            f"(got paths {paths} and timestamps {times})"
        )

    def told(path: str) -> str:
        return path if os.path.isabs(save_dir) or os.path.isabs(path) else os.path.relpath(path, save_dir)

    return protos.CheckpointState(
        model_checkpoint_path=told(model_checkpoint_path),
        all_model_checkpoint_paths=map(told, paths),
        all_model_checkpoint_timestamps=times,
        last_preserved_timestamp=last_preserved_timestamp,
    )


@tf_export("train.update_checkpoint_state")
@called_by_users
def update_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Iterable[str] | None = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: Iterable[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """Replaces the state file of a directory atomically.

    Args:
      save_dir, model_checkpoint_path, all_model_checkpoint_paths, all_model_checkpoint_timestamps,
        last_preserved_timestamp: as of `generate_checkpoint_state_proto`.
      latest_filename: name of the state file; None: "checkpoint".

    Raises:
      RuntimeError: if the checkpoint has the name of the state file.
      ValueError: if the numbers of times and paths differ.
    """
    write_checkpoint_state(
        save_dir,
        model_checkpoint_path,
        all_model_checkpoint_paths,
        latest_filename,
        all_model_checkpoint_timestamps,
        last_preserved_timestamp,
    )


def write_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Iterable[str] | None = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: Iterable[float] | None = None,
    last_preserved_timestamp: float | None = None,
    relative: bool = False,
) -> None:
    """Like `update_checkpoint_state`; `relative`: makes absolute paths relative to the directory, too."""
    from google.protobuf import text_format

    def told(path: str) -> str:
        return os.path.relpath(path, save_dir or ".") if relative and os.path.isabs(path) else path

    name = _state_file(save_dir, latest_filename)
    state = generate_checkpoint_state_proto(
        save_dir,
        told(model_checkpoint_path),
        map(told, all_model_checkpoint_paths or ()),
        all_model_checkpoint_timestamps,
        last_preserved_timestamp,
    )
    if name == state.model_checkpoint_path:
        raise RuntimeError(
            f"Save path '{model_checkpoint_path}' conflicts with path used for checkpoint state.  "
            "Please use a different save path."
        )
    replace_file(name, text_format.MessageToString(state))


@tf_export("train.get_checkpoint_state")
@called_by_users
def get_checkpoint_state(checkpoint_dir: str, latest_filename: str | None = None) -> Any:
    """Reads the state file of a directory.

    Args:
      checkpoint_dir: the directory.
      latest_filename: name of the state file; None: "checkpoint".

    Returns:
      A `CheckpointState` with paths that include the directory. None if the file does not exist or, with a warning, if
      it cannot be read.

    Raises:
      ValueError: if the file names no checkpoint.
    """
    from google.protobuf import text_format

    name = _state_file(checkpoint_dir, latest_filename)
    state = protos.CheckpointState()
    try:
        if not file_io.file_exists(name):
            return None
        text_format.Merge(file_io.read_file_to_string(name), state)
    except (errors_impl.OpError, text_format.ParseError, UnicodeDecodeError) as error:
        tf_logging.warning("%s: %s", type(error).__name__, error)
        tf_logging.warning("%s: Checkpoint ignored", name)
        return None
    if not state.model_checkpoint_path:
        raise ValueError(f"Invalid checkpoint state loaded from {checkpoint_dir}")
    # absolute paths stay absolute
    state.model_checkpoint_path = os.path.join(checkpoint_dir, state.model_checkpoint_path)
    for i, path in enumerate(state.all_model_checkpoint_paths):
        state.all_model_checkpoint_paths[i] = os.path.join(checkpoint_dir, path)
    return state


def _index_or_file(prefix: str) -> str | None:
    """Returns the file that proves the existence of a checkpoint, or None: its index, the file itself in the old
    format, or a shard if the prefix is a pattern."""
    prefix = os.fsdecode(prefix)
    names = (f"{prefix}.index", prefix)
    for name in names:  # the literal names first
        if not name.endswith("/") and file_io.file_exists(name):
            return name
    for name in names:
        found = file_io.get_matching_files(name)
        if found:
            return found[0]
    return None


@tf_export("train.latest_checkpoint")
@called_by_users
def latest_checkpoint(checkpoint_dir: str, latest_filename: str | None = None) -> str | None:
    """Returns the name of a directory's latest checkpoint.

    It is looked up where it was written, then in the directory, which may have been moved.

    Args:
      checkpoint_dir: the directory.
      latest_filename: name of the state file; None: "checkpoint".

    Returns:
      The path prefix of the checkpoint, or None if there is none.

    Raises:
      ValueError: if the state file names no checkpoint.
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None:
        return None
    found = moved(checkpoint_dir, state.model_checkpoint_path)
    if _index_or_file(found) is None:
        tf_logging.error("Couldn't match files for checkpoint %s", state.model_checkpoint_path)
        return None
    return found


def moved(folder: str, name: str) -> str:
    """Returns a checkpoint's present path: a checkpoint that is missing may have been moved along with its
    directory."""
    beside = os.path.join(folder, os.path.basename(name))
    return beside if _index_or_file(name) is None and _index_or_file(beside) is not None else name


@tf_export("train.checkpoint_exists")
@called_by_users
def checkpoint_exists(checkpoint_prefix: str) -> bool:
    """Returns whether there is a checkpoint with this path prefix."""
    return _index_or_file(checkpoint_prefix) is not None


@tf_export("train.get_checkpoint_mtimes")
@called_by_users
def get_checkpoint_mtimes(checkpoint_prefixes: Iterable[str]) -> list[float]:
    """Returns the modification times of checkpoints, in seconds since 1970; checkpoints that do not exist are
    skipped."""
    names = map(_index_or_file, checkpoint_prefixes)
    return [file_io.stat(name).mtime_nsec / 1e9 for name in names if name is not None]


def meta_graph_filename(checkpoint: str, suffix: str = "meta") -> str:
    """Returns the path of a checkpoint's graph file; all shards of a checkpoint share it."""
    return f"{_SHARD.sub('', checkpoint)}.{suffix}"


@tf_export("train.remove_checkpoint")
@called_by_users
def remove_checkpoint(
    checkpoint_prefix: str, checkpoint_format_version: int = _FORMAT_V2, meta_graph_suffix: str = "meta"
) -> None:
    """Deletes the existing files of a checkpoint, including its graph file.

    Args:
      checkpoint_prefix: path prefix of the checkpoint.
      checkpoint_format_version: its format, `SaverDef.V1` or `V2`.
      meta_graph_suffix: str, extension of the graph file.
    """
    patterns = [meta_graph_filename(checkpoint_prefix, meta_graph_suffix)]
    if checkpoint_format_version == _FORMAT_V2:
        patterns += [f"{checkpoint_prefix}.index", data_files(checkpoint_prefix)]
    else:
        patterns.append(checkpoint_prefix)
    for pattern in patterns:
        for name in files_like(pattern):
            file_io.delete_file(name)
