"""`tf.train.Checkpoint`: objects written to checkpoints and read from them."""

from __future__ import annotations

import os
from typing import Any

from tinytf.exports import named, tf_export
from tinytf.framework import dtypes
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.name_scope import colocate_with, device
from tinytf.framework.tensor import Tensor
from tinytf.framework.trackable import Trackable
from tinytf.saving.checkpoint_files import checkpoint_files
from tinytf.saving.checkpoint_state import write_checkpoint_state
from tinytf.saving.durable_files import durable_writes, make_durable
from tinytf.saving.leftovers import nothing_left_of, remove_leftovers
from tinytf.saving.objects.added_variables import add_variable
from tinytf.saving.objects.object_saver import TrackableSaver
from tinytf.saving.objects.status import LoadStatus
from tinytf.saving.session_of_objects import session_of
from tinytf.tracking.auto_trackable import AutoTrackable


@tf_export("train.Checkpoint")
@named("CheckpointV1")
class Checkpoint(AutoTrackable):
    """Objects that are saved together: variables, layers, optimizers with their slots, and what has those.

    A checkpoint knows values by the names by which objects know each other, not by global ones. They are restored to objects
    that stand in the same places; those that come later get theirs as soon as they do.

    Args: objects by name, which become attributes. ValueError for what is not trackable.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__()
        for name, value in sorted(kwargs.items()):
            if not isinstance(value, Trackable) and not hasattr(value, "get_concrete_function"):
                raise ValueError(
                    "`Checkpoint` was expecting a trackable object (an object derived from `TrackableBase`), got "
                    f"{value}. If you believe this object should be trackable (i.e. it is part of the TensorFlow Python API "
                    "and manages state), please open an issue."
                )
            setattr(self, name, value)
        self._save_counter: Any = None  # made when it is asked for, so that it can begin with what a restore has for it
        self._save_assign_op: Any = None
        self._saver = TrackableSaver(self)
        self._cleared: str | None = None  # of what killed saves have left there

    @property
    def save_counter(self) -> Any:
        """The variable that counts saves: it is the number in their names."""
        if self._save_counter is None:
            with device("/cpu:0"):
                made = add_variable(self, "save_counter", initializer=0, dtype=dtypes.int64, trainable=False)
            self._save_counter = self._no_dependency(made)
        return self._save_counter

    @called_by_users
    def write(self, file_prefix: str, session: Any = None, *, durable: bool = False) -> Any:
        """Writes a checkpoint, without a number and without a word in the state file. Returns its name.

        Args:
          file_prefix: the checkpoint's files begin so.
          session: of the graph of the variables, the default one when None.
          durable: a checkpoint that this has returned from survives a loss of power; so does the one before of that name,
            until then. ValueError in a function that is being built, where nothing is written yet.
        """
        if durable and not executing_eagerly() and get_default_graph().building_function:
            raise ValueError(
                "durable=True waits until the checkpoint is on the disk; a function that is being built only gets the "
                "operation that will write it."
            )
        with durable_writes(durable):
            with nothing_left_of(file_prefix):
                written = self._saver.save(file_prefix, session)
            if isinstance(written, Tensor):
                if not executing_eagerly():
                    return written
                written = written.numpy()
            name = written.decode() if isinstance(written, bytes) else str(written)
            if durable:
                make_durable(checkpoint_files(name), os.path.dirname(name))
        return name

    @called_by_users
    def save(self, file_prefix: str, session: Any = None, *, durable: bool = False) -> str:
        """Counts, writes a checkpoint under that number and tells of it in the state file. Returns its name.

        Args:
          file_prefix: the names of checkpoints begin so.
          session: of the graph of the variables, the default one when None.
          durable: a checkpoint that this has returned from survives a loss of power.
        """
        if executing_eagerly():
            with colocate_with(self.save_counter):
                number = self.save_counter.assign_add(1, read_value=True).numpy()
        else:
            if get_default_graph().building_function:
                raise NotImplementedError(
                    "Calling tf.train.Checkpoint.save() from a function is not supported, as save() modifies saving metadata "
                    "in ways not supported by TensorFlow Operations. Consider using tf.train.Checkpoint.write(), a "
                    "lower-level API which does not update metadata. tf.train.latest_checkpoint and related APIs will not "
                    "see this checkpoint."
                )
            session = session_of(session)
            if self._save_counter is None:
                session.run(self.save_counter.initializer)
            if self._save_assign_op is None:
                with colocate_with(self.save_counter):
                    self._save_assign_op = self._no_dependency(self.save_counter.assign_add(1, read_value=True))
            number = session.run(self._save_assign_op)
        path = self.write(f"{file_prefix}-{number:d}", session, durable=durable)
        with durable_writes(durable):
            write_checkpoint_state(os.path.dirname(file_prefix), path, [path], relative=True)
        if self._cleared != file_prefix:
            remove_leftovers(file_prefix, "checkpoint")
            self._cleared = file_prefix
        return path

    @called_by_users
    def restore(self, save_path: str | None) -> LoadStatus:
        """Restores objects from a checkpoint: at once where operations are executed, else when the status is asked to.

        Args:
          save_path: its name, as `save` returned it, or one of `tf.train.Saver`, whose variables are known by global names;
            None if there is none yet.

        Returns what tells of it, and in a graph does it: `assert_consumed()`, `assert_existing_objects_matched()`,
        `assert_nontrivial_match()`, `expect_partial()`, `run_restore_ops(session)`, `initialize_or_restore(session)`.
        """
        status = self._saver.restore(save_path)
        _ = self.save_counter  # now, so that it is initialized with the others
        return status
