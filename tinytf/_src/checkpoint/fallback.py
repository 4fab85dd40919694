"""Restores the latest readable checkpoint of a directory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from tinytf._src.checkpoint.checkpoint_state import get_checkpoint_mtimes, get_checkpoint_state, moved
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.logs import tf_logging
from tinytf._src.platform import file_io

# Errors that indicate damaged files; a graph that does not fit raises others.
_DAMAGE = (errors_impl.DataLossError, errors_impl.NotFoundError, errors_impl.OutOfRangeError, ValueError)
_MISSING_KEY = "not found in checkpoint"


def restore_newest(names: Iterable[str], restore: Callable[[str], None]) -> str | None:
    """Restores the first of the given checkpoints, newest first; if its files are damaged or missing, logs a warning
    and tries the next one. Returns its name; None if there are none. If all are damaged, raises the newest one's
    error."""
    first: BaseException | None = None
    for name in names:
        try:
            restore(name)
        except errors_impl.InvalidArgumentError:
            raise  # a variable has another shape or dtype
        except _DAMAGE as error:
            if isinstance(error, errors_impl.NotFoundError) and _MISSING_KEY in error.message:
                raise  # the checkpoint lacks a variable
            tf_logging.warning("%s cannot be restored; trying an older checkpoint: %s", name, str(error))
            first = first or error
        else:
            return name
    if first is not None:
        raise first
    return None


def candidates(folder: str, latest_filename: str | None = None) -> list[str]:
    """Returns the names of a directory's checkpoints, newest first: from its state file or, without one, from the files
    found."""
    try:
        state = get_checkpoint_state(folder, latest_filename)
    except ValueError as error:
        tf_logging.warning("%s", str(error))
        state = None
    if state is None:
        return _found(folder)
    names = [state.model_checkpoint_path, *reversed(state.all_model_checkpoint_paths)]
    return list(dict.fromkeys(moved(folder, name) for name in names))


def _found(folder: str) -> list[str]:
    """Returns the names of the checkpoints whose files are in a directory, newest first."""
    files = file_io.list_directory(folder) if file_io.is_directory(folder) else []
    names = [os.path.join(folder, file.removesuffix(".index")) for file in files if file.endswith(".index")]
    if names:
        tf_logging.warning("%s has no state file that can be read; searching its %d checkpoints", folder, len(names))
    times = {name: when for name in names for when in get_checkpoint_mtimes([name])}
    return sorted(times, key=lambda name: (times[name], name), reverse=True)
