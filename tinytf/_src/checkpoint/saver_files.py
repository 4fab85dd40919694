"""The checkpoint files that a saver writes, one after another."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from tinytf._src.checkpoint.checkpoint_list import CheckpointList
from tinytf._src.checkpoint.checkpoint_writer import CheckpointWriter, GraphFile, SaveFormat, SaveNames, Values
from tinytf._src.checkpoint.save_thread import SaveThread
from tinytf._src.checkpoint.steps import step_number


class SaverFiles:
    """Names and writes the checkpoints of a saver, on `thread` if there is one, and keeps a list of them.

    `pads`: whether step numbers in names have eight digits. `relative`, `durable`: as of `SaveFormat`. `sharded`: whether
    the names of the files differ from the checkpoint's.
    """

    def __init__(
        self,
        checkpoints: CheckpointList,
        thread: SaveThread | None,
        pads: bool,
        relative: bool,
        durable: bool,
        sharded: bool,
    ) -> None:
        self.checkpoints = checkpoints
        self.thread = thread
        self._pads = pads
        self._relative = relative
        self._durable = durable
        self._sharded = sharded
        self._last_prefix: str | None = None

    def names(self, prefix: Any, sess: Any, step: Any, state_file: Any, graph_suffix: str) -> SaveNames:
        """Returns the names of the files of a save.

        `step`: an integer, a tensor that is evaluated in `sess`, or None. ValueError if the state file's name contains
        a directory, or collides with the checkpoint's name.
        """
        state_file = os.fspath(state_file or "checkpoint")
        if isinstance(prefix, os.PathLike):
            prefix = os.fspath(prefix)
        if os.path.split(state_file)[0]:
            raise ValueError("'latest_filename' must not contain path components")
        if os.path.basename(prefix) == state_file and not self._sharded and step is None:
            raise ValueError(f"'latest_filename' collides with 'save_path': '{state_file}' and '{prefix}'")
        path = prefix
        if step is not None:
            number = step_number(sess, step)
            path = f"{prefix}-{number:08d}" if self._pads else f"{prefix}-{number:d}"
        return SaveNames(prefix, path, state_file, graph_suffix)

    def save(
        self, names: SaveNames, values: Values | None, graph_file: GraphFile | None, version: int, writes_state: bool
    ) -> str | None:
        """Writes a checkpoint, or starts to write it if there is a thread and there are values. Returns its name; None
        without values."""
        saved: str | None
        is_first = self._last_prefix != names.prefix
        form = SaveFormat(version, self._relative, self._durable)
        writer = CheckpointWriter(names, values, graph_file, self.checkpoints, form, writes_state, is_first)
        if self.thread is None or values is None:
            saved = writer.write()
        else:
            self.thread.run(partial(writer.hold, values), names.path)
            saved = writer.held_name
        self._last_prefix = names.prefix
        return saved

    def wait_to_read(self) -> None:
        """Waits until no checkpoint is being written. An error is kept for the next call."""
        if self.thread is not None:
            self.thread.join()

    def replace_list(self, kept: Sequence[tuple[str, float]]) -> None:
        """Replaces the list of checkpoints."""
        self.wait_to_read()
        self.checkpoints.replace(kept)

    def recover_list(self, names: Iterable[str]) -> None:
        """Replaces the list by the given checkpoints that exist."""
        self.wait_to_read()
        self.checkpoints.recover(names)
