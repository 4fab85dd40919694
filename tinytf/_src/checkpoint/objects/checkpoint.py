"""`tf.train.Checkpoint`: saves and restores objects."""

from __future__ import annotations

import os
from typing import Any

from tinytf._src.checkpoint.checkpoint_files import checkpoint_files
from tinytf._src.checkpoint.checkpoint_state import write_checkpoint_state
from tinytf._src.checkpoint.durable_files import durable_writes, make_durable
from tinytf._src.checkpoint.leftovers import nothing_left_of, remove_leftovers
from tinytf._src.checkpoint.objects.added_variables import add_variable
from tinytf._src.checkpoint.objects.object_saver import TrackableSaver
from tinytf._src.checkpoint.objects.status import LoadStatus
from tinytf._src.checkpoint.session_of_objects import session_of
from tinytf._src.exports import named, tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.resources.trackable import Trackable
from tinytf._src.framework.scopes.name_scope import colocate_with, device
from tinytf._src.framework.values import dtypes
from tinytf._src.trackable.auto_trackable import AutoTrackable


@tf_export("train.Checkpoint")
@named("CheckpointV1")
class Checkpoint(AutoTrackable):
    """Saves and restores objects together: variables, layers, optimizers with their slots, and containers of these.

    A checkpoint identifies values by the attribute names between objects, not by global names. They are restored to
    objects at the same places; objects created later get their values when they are created.

    Args:
      **kwargs: trackable objects by name, which become attributes.

    Raises:
      ValueError: for objects that are not trackable.

    Example:
      checkpoint = tf.train.Checkpoint(optimizer=optimizer, model=model)
      path = checkpoint.save("/tmp/model/ckpt")
      status = checkpoint.restore(path)
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
        self._save_counter: Any = None  # created on first access, so that a restore can initialize it
        self._save_assign_op: Any = None
        self._saver = TrackableSaver(self)
        self._cleared: str | None = None  # prefix for which remains of interrupted saves were removed

    @property
    def save_counter(self) -> Any:
        """The variable that counts saves, the number in checkpoint names."""
        if self._save_counter is None:
            with device("/cpu:0"):
                made = add_variable(self, "save_counter", initializer=0, dtype=dtypes.int64, trainable=False)
            self._save_counter = self._no_dependency(made)
        return self._save_counter

    @called_by_users
    def write(self, file_prefix: str, session: Any = None, *, durable: bool = False) -> Any:
        """Writes a checkpoint without a number and without updating the state file.

        Args:
          file_prefix: path prefix of the checkpoint's files.
          session: the session of the variables in a graph; None: the default session.
          durable: bool, whether the checkpoint survives a power loss once this has returned, and the previous one of
            that name until then.

        Returns:
          The checkpoint's name, str; while a function is being built, a tensor.

        Raises:
          ValueError: for `durable` while a function is being built, as nothing is written yet.
        """
        if durable and not executing_eagerly() and get_default_graph().building_function:
            raise ValueError(
                "durable=True waits until the checkpoint is on the disk, which is not possible while a function is built: "
                "the call only creates the operation that writes the checkpoint later."
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
        """Increments `save_counter`, writes a checkpoint with that number, and updates the state file.

        Args:
          file_prefix: path prefix; the name is completed by "-" and the number.
          session: the session of the variables in a graph; None: the default session.
          durable: bool, whether the checkpoint survives a power loss once this has returned.

        Returns:
          The checkpoint's name, str.

        Raises:
          NotImplementedError: while a function is being built.
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
        """Restores the objects: immediately in eager execution, by operations of the returned status in a graph.

        Args:
          save_path: the checkpoint's name, as `save` returned it, or one of a `tf.train.Saver`, in which variables have
            global names. None: there is no checkpoint yet.

        Returns:
          A status with the methods `assert_consumed()`, `assert_existing_objects_matched()`,
          `assert_nontrivial_match()`, `expect_partial()`, `run_restore_ops(session)` and
          `initialize_or_restore(session)`.

        Raises:
          NotFoundError: if the checkpoint does not exist.
        """
        status = self._saver.restore(save_path)
        _ = self.save_counter  # created now, so that it is initialized with the others
        return status
