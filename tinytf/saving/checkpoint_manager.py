"""`CheckpointManager`: which of an object's checkpoints stay."""

from __future__ import annotations

import os
import time
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework import tf_logging
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.execution import executing_eagerly
from tinytf.platform import file_io
from tinytf.saving.checkpoint_files import data_files, files_like
from tinytf.saving.checkpoint_state import get_checkpoint_state, write_checkpoint_state
from tinytf.saving.durable_files import durable_writes
from tinytf.saving.leftovers import remove_leftovers
from tinytf.saving.session_of_objects import session_of
from tinytf.saving.steps import step_number
from tinytf.variables.creation import variable_creator_scope


@tf_export("train.CheckpointManager")
class CheckpointManager:
    """Writes checkpoints of an object under numbered names in a folder, and deletes old ones.

    Args:
      checkpoint: a `tf.train.Checkpoint`: its `write` gives a name and `save_counter` counts.
      directory: the folder.
      max_to_keep: how many to keep; None: all.
      keep_checkpoint_every_n_hours: one in each so many hours stays.
      checkpoint_name: files begin so.
      durable: a checkpoint that `save` has returned from, and what it then deletes, survive a loss of power.

    It goes on with what the folder has. ValueError if `max_to_keep` is not positive.
    """

    def __init__(
        self,
        checkpoint: Any,
        directory: str,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
        *,
        durable: bool = False,
    ) -> None:
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(f"Expected a positive integer or `None` for `max_to_max_to_keep`, got {max_to_keep}.")
        self._checkpoint = checkpoint
        self._directory = directory
        self._max_to_keep = max_to_keep
        self._hours = keep_checkpoint_every_n_hours
        self._prefix = os.path.join(directory, checkpoint_name)
        self._durable = durable
        self._cleared = False  # of what killed saves have left
        self._count: Any = None  # the operation that counts, in a graph
        self._kept: dict[str, float] = {}
        self._latest: str | None = None
        now = time.time()
        self._last_preserved = now - 1.0
        state = get_checkpoint_state(directory)
        if state is not None:
            self._latest = state.model_checkpoint_path
            self._go_on(state, now)

    def _go_on(self, state: Any, now: float) -> None:
        preserved = state.last_preserved_timestamp
        if now < preserved:
            tf_logging.warning(
                "time.time() returned a value %f seconds behind the last preserved checkpoint timestamp.",
                preserved - now,
            )
        self._last_preserved = min(preserved, now)
        paths = state.all_model_checkpoint_paths
        times = state.all_model_checkpoint_timestamps or [self._last_preserved] * len(paths)
        for path, when in zip(paths, times, strict=False):
            if min(when, now) > self._last_preserved:
                self._kept[path] = min(when, now)

    @property
    def latest_checkpoint(self) -> str | None:
        """The newest one; None if there is none."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """Those that may be deleted later, oldest first."""
        return list(self._kept)

    @called_by_users
    def save(self, checkpoint_number: Any = None) -> str:
        """Writes a checkpoint and deletes what is not to be kept; its name.

        Args:
          checkpoint_number: at the end of the name: a number, or a variable or tensor; how many were written when None.
        """
        counter, session = self._counted()
        number = step_number(session, counter if checkpoint_number is None else checkpoint_number)
        # `durable` is told only where it is wanted: the object may be of another class.
        path = self._checkpoint.write(f"{self._prefix}-{number}", **({"durable": True} if self._durable else {}))
        self._kept.pop(path, None)
        self._kept[path] = time.time()
        self._latest = path
        with durable_writes(self._durable):
            self._tell()
            self._sweep()
            self._tell()
        if not self._cleared:
            remove_leftovers(self._prefix, "checkpoint")
            self._cleared = True
        return path

    def _counted(self) -> tuple[Any, Any]:
        """The object's counter, one higher than it was, and the session that has it."""
        if executing_eagerly():
            counter = self._checkpoint.save_counter
            counter.assign_add(1)
            return counter, None
        session = session_of()

        def initialized(next_creator: Any, **options: Any) -> Any:
            variable = next_creator(**options)
            session.run(variable.initializer)
            return variable

        with variable_creator_scope(initialized):
            counter = self._checkpoint.save_counter
        if self._count is None:
            self._count = counter.assign_add(1, read_value=False)
        session.run(self._count)
        return counter, session

    def _sweep(self) -> None:
        while self._max_to_keep and len(self._kept) > self._max_to_keep:
            path = next(iter(self._kept))
            when = self._kept.pop(path)
            if self._hours and when - self._hours * 3600 >= self._last_preserved:
                self._last_preserved = when
                continue
            if os.path.realpath(os.path.dirname(path)) != os.path.realpath(self._directory):
                continue  # the state file is not to be trusted with files of others
            for name in [*files_like(f"{path}.index"), *files_like(data_files(path))]:
                file_io.delete_file(name)

    def _tell(self) -> None:
        write_checkpoint_state(
            self._directory,
            self._latest or "",
            self._kept,
            all_model_checkpoint_timestamps=self._kept.values(),
            last_preserved_timestamp=self._last_preserved,
            relative=True,
        )
