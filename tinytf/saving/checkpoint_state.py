"""Which checkpoints a folder has: the file `checkpoint`, and the files of checkpoints by their prefix."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any

from tinytf import protos
from tinytf.exports import tf_export
from tinytf.framework import errors_impl, tf_logging
from tinytf.framework.error_traceback import called_by_users
from tinytf.platform import file_io
from tinytf.saving.checkpoint_files import data_files, files_like
from tinytf.saving.durable_files import replace_file

_FORMAT_V2 = 2  # of SaverDef
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
    """The `CheckpointState` of a folder. If the folder's name is relative, its paths are relative to it. ValueError if there are
    not as many times as paths."""
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
    """Writes the file that says which checkpoints a folder has, in one step for whoever reads it. RuntimeError if a checkpoint
    has the name of that file."""
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
    """As `update_checkpoint_state`; `relative`: absolute paths, too, are told relative to the folder."""
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
    """The `CheckpointState` that a folder's file holds, or None, after a warning if the file cannot be read. ValueError if it
    names no checkpoint."""
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
    state.model_checkpoint_path = os.path.join(checkpoint_dir, state.model_checkpoint_path)  # absolute ones stay
    for i, path in enumerate(state.all_model_checkpoint_paths):
        state.all_model_checkpoint_paths[i] = os.path.join(checkpoint_dir, path)
    return state


def _index_or_file(prefix: str) -> str | None:
    """The file that says that there is a checkpoint: its index, or of the old format the file itself, or, of shards that
    are called by a pattern, one of these."""
    prefix = os.fsdecode(prefix)
    names = (f"{prefix}.index", prefix)
    for name in names:  # whatever characters it has
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
    """The prefix of a folder's latest checkpoint, or None if there is none. It is looked for where it was written, then in
    the folder, which may have been moved."""
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None:
        return None
    found = moved(checkpoint_dir, state.model_checkpoint_path)
    if _index_or_file(found) is None:
        tf_logging.error("Couldn't match files for checkpoint %s", state.model_checkpoint_path)
        return None
    return found


def moved(folder: str, name: str) -> str:
    """A checkpoint's name where it is now: folders are moved with what is in them."""
    beside = os.path.join(folder, os.path.basename(name))
    return beside if _index_or_file(name) is None and _index_or_file(beside) is not None else name


@tf_export("train.checkpoint_exists")
@called_by_users
def checkpoint_exists(checkpoint_prefix: str) -> bool:
    """Whether there is a checkpoint with this prefix."""
    return _index_or_file(checkpoint_prefix) is not None


@tf_export("train.get_checkpoint_mtimes")
@called_by_users
def get_checkpoint_mtimes(checkpoint_prefixes: Iterable[str]) -> list[float]:
    """When checkpoints were written, in seconds since 1970, without those that are not there."""
    names = map(_index_or_file, checkpoint_prefixes)
    return [file_io.stat(name).mtime_nsec / 1e9 for name in names if name is not None]


def meta_graph_filename(checkpoint: str, suffix: str = "meta") -> str:
    """The file of a checkpoint's graph; shards of one checkpoint share it."""
    return f"{_SHARD.sub('', checkpoint)}.{suffix}"


@tf_export("train.remove_checkpoint")
@called_by_users
def remove_checkpoint(
    checkpoint_prefix: str, checkpoint_format_version: int = _FORMAT_V2, meta_graph_suffix: str = "meta"
) -> None:
    """Deletes the files of a checkpoint, and of its graph, as far as they are there."""
    patterns = [meta_graph_filename(checkpoint_prefix, meta_graph_suffix)]
    if checkpoint_format_version == _FORMAT_V2:
        patterns += [f"{checkpoint_prefix}.index", data_files(checkpoint_prefix)]
    else:
        patterns.append(checkpoint_prefix)
    for pattern in patterns:
        for name in files_like(pattern):
            file_io.delete_file(name)
