"""`CheckpointManager`: keeps a limited number of an object's checkpoints."""

from __future__ import annotations

import os
import time
from typing import Any

from tinytf._src.checkpoint.checkpoint_files import data_files, files_like
from tinytf._src.checkpoint.checkpoint_state import get_checkpoint_state, write_checkpoint_state
from tinytf._src.checkpoint.durable_files import durable_writes
from tinytf._src.checkpoint.leftovers import remove_leftovers
from tinytf._src.checkpoint.session_of_objects import session_of
from tinytf._src.checkpoint.steps import step_number
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.logs import tf_logging
from tinytf._src.platform import file_io
from tinytf._src.variables.creation import variable_creator_scope


@tf_export("train.CheckpointManager")
class CheckpointManager:
    """Writes numbered checkpoints of a `tf.train.Checkpoint` to a directory, and deletes old ones.

    Checkpoints that the directory's state file lists are managed, too.

    Args:
      checkpoint: a `tf.train.Checkpoint`.
      directory: the directory.
      max_to_keep: int, number of checkpoints to keep; None: all.
      keep_checkpoint_every_n_hours: float, additionally keep one checkpoint for each period of that length; None: none.
      checkpoint_name: str, prefix of file names.
      durable: bool, whether the checkpoint and deletions of a completed `save` survive a power loss.

    Raises:
      ValueError: if `max_to_keep` is not positive.

    Example:
      manager = tf.train.CheckpointManager(tf.train.Checkpoint(model=model), "/tmp/model", max_to_keep=3)
      path = manager.save()
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
        self._cleared = False  # whether remains of interrupted saves were removed
        self._count: Any = None  # the operation that counts saves, in a graph
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
        """The name of the latest checkpoint; None if there is none."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """Names of the checkpoints that may be deleted later, oldest first."""
        return list(self._kept)

    @called_by_users
    def save(self, checkpoint_number: Any = None) -> str:
        """Writes a checkpoint and deletes old ones.

        Args:
          checkpoint_number: int, variable or tensor, the number at the end of the name; None: the checkpoint's
            `save_counter`.

        Returns:
          The name of the checkpoint, str.
        """
        counter, session = self._counted()
        number = step_number(session, counter if checkpoint_number is None else checkpoint_number)
        # Passed only if wanted, as the object may be of a class without `durable`.
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
        """Increments the object's save counter; returns it, and the session that holds it."""
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
                continue  # never delete files outside of the directory, whatever the state file says
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
