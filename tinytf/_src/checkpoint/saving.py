"""The steps of one save, ordered so that there is a complete checkpoint at any moment."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from tinytf._src.checkpoint.checkpoint_files import checkpoint_files
from tinytf._src.checkpoint.checkpoint_list import CheckpointList
from tinytf._src.checkpoint.checkpoint_state import meta_graph_filename, write_checkpoint_state
from tinytf._src.checkpoint.durable_files import durable_writes, make_durable
from tinytf._src.checkpoint.leftovers import nothing_left_of, remove_leftovers
from tinytf._src.framework.errors import errors_impl
from tinytf._src.platform import file_io


@dataclass
class SaveRequest:
    """Arguments of `Saver.save`, processed."""

    save_path: str
    path: str  # prefix with the step number
    latest_filename: str
    meta_graph_suffix: str
    write_values: Callable[[], str] | None  # returns the checkpoint's name; None: there are no values
    write_graph: Callable[[str], None] | None
    write_state: bool
    relative: bool
    format_version: int
    durable: bool
    is_first: bool  # first save of the saver with that prefix


def check_names(save_path: str, latest_filename: str, adds_to_name: bool) -> None:
    """Raises ValueError if the state file's name contains a directory, or collides with the checkpoint's name."""
    if os.path.split(latest_filename)[0]:
        raise ValueError("'latest_filename' must not contain path components")
    if os.path.basename(save_path) == latest_filename and not adds_to_name:
        raise ValueError(f"'latest_filename' collides with 'save_path': '{latest_filename}' and '{save_path}'")


def save_checkpoint(request: SaveRequest, checkpoints: CheckpointList) -> str | None:
    """Writes the values, the graph, and then the state file, which makes it the latest checkpoint; then deletes old
    ones. Returns the checkpoint's name, or None without values.

    An error of writing the graph is raised only after the checkpoint is complete.
    """
    folder = os.path.dirname(request.save_path)
    graph_file = meta_graph_filename(request.path, request.meta_graph_suffix)
    if request.write_values is None:
        if request.write_graph is not None:
            request.write_graph(graph_file)
        return None
    unwritten = None
    try:
        with durable_writes(request.durable):
            with nothing_left_of(request.path):
                saved = request.write_values()
            if request.write_graph is not None:
                try:
                    request.write_graph(graph_file)
                except (errors_impl.OpError, ValueError, OSError) as error:
                    unwritten = error
            if request.durable:
                make_durable([*checkpoint_files(saved), graph_file], folder)
            if request.write_state:
                checkpoints.add(saved)
                write_checkpoint_state(
                    folder,
                    saved,
                    checkpoints.names,
                    latest_filename=request.latest_filename,
                    relative=request.relative,
                )
        if request.write_state:
            checkpoints.delete_leaving(request.format_version, request.meta_graph_suffix)
            if request.is_first:
                remove_leftovers(request.save_path, request.latest_filename)
    except (errors_impl.FailedPreconditionError, errors_impl.NotFoundError):
        if not file_io.is_directory(folder or "."):
            raise ValueError(f"Parent directory of {request.save_path} doesn't exist, can't save.") from None
        raise
    if unwritten is not None:
        raise unwritten
    return saved
