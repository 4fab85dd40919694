"""`tf.train.Saver`: writes variables to checkpoints and restores them."""

from __future__ import annotations

import math
import os
from collections.abc import Collection
from functools import partial
from typing import Any

from tinytf._src.checkpoint.checkpoint_list import CheckpointList
from tinytf._src.checkpoint.checkpoint_state import checkpoint_exists
from tinytf._src.checkpoint.checkpoint_writer import GraphFile
from tinytf._src.checkpoint.collection_protos import register_for_package
from tinytf._src.checkpoint.fallback import candidates, restore_newest
from tinytf._src.checkpoint.meta_graph_export import export_scoped_meta_graph
from tinytf._src.checkpoint.save_thread import SaveThread
from tinytf._src.checkpoint.saver_builder import V2
from tinytf._src.checkpoint.saver_defs import relative_to
from tinytf._src.checkpoint.saver_files import SaverFiles
from tinytf._src.checkpoint.saver_ops import SaverOps, SaverOptions
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging


@tf_export("train.Saver")
class Saver:
    """Writes variables to checkpoints and restores them.

    Args:
      var_list: list of variables and saveable objects, or a dict of them by their names in checkpoints; None: all
        global variables and saveable objects of the default graph.
      reshape: bool, whether variables can be restored from values of another shape with the same number of elements.
      sharded: bool, whether to write one file for each device.
      max_to_keep: int, number of checkpoints to keep; older ones are deleted. None or 0: none are deleted, and the
        state file only lists the latest.
      keep_checkpoint_every_n_hours: float, additionally keep one checkpoint for each period of that length.
      name: str, name scope of the saver's operations; None: "save".
      restore_sequentially: ignored; one operation reads all values.
      saver_def: a `SaverDef` whose operations the graph has already, or None.
      builder: builds the operations; None: a `BulkSaverBuilder`.
      defer_build: bool, whether operations are added by `build` instead of the constructor.
      allow_empty: bool, whether it is allowed that there are no variables.
      write_version: format to write, `SaverDef.V1` or `V2`. Both are read.
      pad_step_number: bool, whether step numbers in names are padded to eight digits.
      save_relative_paths: bool, whether the state file has paths relative to its directory, which can then be moved.
      filename: default of the tensor with the checkpoint's name, or None.
      durable: bool, whether the checkpoint and deletions of a completed `save` survive a power loss.
      async_save: bool, whether `save` only takes a snapshot of the values, without copying, and a thread writes the
        checkpoint; see `wait`.

    Raises:
      ValueError: if `defer_build` is combined with a `var_list`, there are no variables, or `saver_def` is invalid.
      RuntimeError: in eager execution without a `var_list`.

    Example:
      saver = tf.train.Saver()
      path = saver.save(sess, "/tmp/model.ckpt", global_step=1000)
      saver.restore(sess, path)
    """

    def __init__(
        self,
        var_list: Any = None,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        saver_def: Any = None,
        builder: Any = None,
        defer_build: bool = False,
        allow_empty: bool = False,
        write_version: int = V2,
        pad_step_number: bool = False,
        save_relative_paths: bool = False,
        filename: str | None = None,
        *,
        durable: bool = False,
        async_save: bool = False,
    ) -> None:
        if defer_build and var_list:
            raise ValueError(
                "If `var_list` is provided then build cannot be deferred. Either set defer_build=False or var_list=None."
            )
        if executing_eagerly() and var_list is None:
            raise RuntimeError(
                "When eager execution is enabled, `var_list` must specify a list or dict of variables to save"
            )
        options = SaverOptions(
            reshape, sharded, max_to_keep, keep_checkpoint_every_n_hours, name, restore_sequentially, filename
        )
        self._ops = SaverOps(var_list, builder, options, saver_def, write_version, allow_empty)
        self._files = SaverFiles(
            CheckpointList(max_to_keep or 0, keep_checkpoint_every_n_hours),
            SaveThread() if async_save else None,
            pads=pad_step_number,
            relative=save_relative_paths,
            durable=durable,
            sharded=sharded,
        )
        self._meta_graph: bytes | None = None  # the serialized MetaGraphDef for the next save, if a caller has it
        if not defer_build and not executing_eagerly():
            self.build()
        self._ops.take_version()

    @property
    def saver_def(self) -> Any:
        """The `SaverDef`; None before the operations are added, in eager execution, and if there are no variables."""
        return self._ops.saver_def

    @saver_def.setter
    def saver_def(self, saver_def: Any) -> None:
        self._ops.saver_def = saver_def

    @called_by_users
    def build(self) -> None:
        """Adds the operations to the default graph, unless that is done already.

        Raises:
          ValueError: if there are no variables, unless `allow_empty`.
          RuntimeError: in eager execution.
        """
        if executing_eagerly():
            raise RuntimeError("Use save/restore instead of build in eager mode.")
        if not self._ops.is_built:
            self._ops.build()
            kept = self.saver_def
            if kept is not None:
                self._files.checkpoints = CheckpointList(kept.max_to_keep, kept.keep_checkpoint_every_n_hours)

    # -- Writing -----------------------------------------------------------------------------------------------------

    @called_by_users
    def save(
        self,
        sess: Any,
        save_path: str,
        global_step: Any = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> str | None:
        """Writes a checkpoint with the variables' values in a session, and the graph.

        The state file is updated when the checkpoint is complete; old checkpoints are deleted after that. With
        `async_save`, this happens in the background: the values are the present ones, the graph is the one at the time
        of writing, and errors are raised by the next `save`, which waits for this one, or by `wait`. A `save` that
        raises an earlier one's error has started to write its own checkpoint all the same.

        Args:
          sess: a session of the graph, or a monitored session, whose hooks are not called; None in eager execution.
          save_path: str, path prefix of the checkpoint.
          global_step: int, appended to the prefix; or a tensor with it, or the tensor's name. None: nothing is
            appended.
          latest_filename: name of the state file; None: "checkpoint".
          meta_graph_suffix: str, extension of the graph file.
          write_meta_graph: bool, whether to write the graph.
          write_state: bool, whether to update the state file and delete old checkpoints.
          strip_default_attrs, save_debug_info: as of `tf.train.export_meta_graph`.

        Returns:
          The checkpoint's name for `restore`, str; None if the saver is empty.

        Raises:
          RuntimeError: if `build` was deferred and not called.
          TypeError: if `sess` is not a session.
          ValueError: for colliding names, a session of another graph, and if the directory does not exist.
        """
        known, self._meta_graph = self._meta_graph, None
        if not self._ops.is_built and not executing_eagerly():
            raise RuntimeError("`build()` should be called before save if defer_build==True")
        if self._ops.version != V2:
            tf_logging.warning(
                "Checkpoints of format V1 are slow to write and large: use the default, write_version=SaverDef.V2."
            )
        sess = _raw(sess)
        names = self._files.names(save_path, sess, global_step, latest_filename, meta_graph_suffix)
        if not executing_eagerly() and not isinstance(getattr(sess, "graph", None), Graph):
            raise TypeError(f"'sess' must be a Session; {sess}")
        values = None if self._ops.is_empty else self._ops.values(sess)
        graph_file = None
        if write_meta_graph and not executing_eagerly():
            own = getattr(self.export_meta_graph, "__func__", None) is Saver.export_meta_graph
            options: dict[str, Any] = {"strip_default_attrs": strip_default_attrs, "save_debug_info": save_debug_info}
            export = None if own and not any(options.values()) else partial(self.export_meta_graph, **options)
            graph_file = GraphFile(sess.graph, self.saver_def, known, export)
        return self._files.save(names, values, graph_file, self._ops.version, write_state)

    @called_by_users
    def wait(self) -> None:
        """Waits until the checkpoint of the last `save` is written, with `async_save`; raises its error, once.

        The interpreter also waits for it at exit. A forked child does not write checkpoints of its parent.
        """
        if self._files.thread is not None:
            self._files.thread.wait()

    @property
    def saves_later(self) -> bool:
        """Whether `save` returns before the checkpoint is written; see `async_save`."""
        return self._files.thread is not None

    def is_saving(self) -> bool:
        """Returns whether a checkpoint is being written in the background, with `async_save`."""
        return self._files.thread is not None and self._files.thread.is_running()

    def stop_waiting(self) -> str | None:
        """Gives up waiting for the background write, with `async_save`: its error is logged as a warning, now or when
        it occurs.

        Returns:
          The logged text, str, or None if there is no error now.
        """
        return None if self._files.thread is None else self._files.thread.leave()

    @property
    def pending_deletions(self) -> list[str]:
        """Names of the checkpoints that the next save will delete, or try again to delete."""
        return self._files.checkpoints.leaving

    @called_by_users
    def export_meta_graph(
        self,
        filename: str | None = None,
        collection_list: Collection[Any] | None = None,
        as_text: bool = False,
        export_scope: str | None = None,
        clear_devices: bool = False,
        clear_extraneous_savers: bool = False,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> Any:
        """Returns the `MetaGraphDef` of the default graph with this saver; arguments as of
        `tf.train.export_meta_graph`."""
        return export_scoped_meta_graph(
            filename,
            graph_def=get_default_graph().as_graph_def(add_shapes=True),
            saver_def=self.saver_def,
            collection_list=collection_list,
            as_text=as_text,
            export_scope=export_scope,
            clear_devices=clear_devices,
            clear_extraneous_savers=clear_extraneous_savers,
            strip_default_attrs=strip_default_attrs,
            save_debug_info=save_debug_info,
        )[0]

    # -- Restoring ---------------------------------------------------------------------------------------------------

    @called_by_users
    def restore(self, sess: Any, save_path: str) -> None:
        """Restores the variables from a checkpoint; they need not be initialized.

        Args:
          sess: a session of the graph, or a monitored session; None in eager execution.
          save_path: the checkpoint's name.

        Raises:
          ValueError: if there is no such checkpoint, and for a session of another graph.
          TypeError: if `save_path` is not a string.
          NotFoundError: if the checkpoint lacks a variable; the message lists the differences.
          InvalidArgumentError: if a variable's dtype or shape differs; the message lists the differences.
        """
        if self._ops.is_empty:
            return
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        if not isinstance(save_path, (str, bytes, os.PathLike)):
            raise TypeError(f"Expected binary or unicode string, got {save_path!r}")
        self._files.wait_to_read()
        path = os.fsdecode(save_path)
        if not checkpoint_exists(path):
            raise ValueError(f"The passed save_path is not a valid checkpoint: {path}")
        self._ops.restore(sess if executing_eagerly() else _raw(sess), path)

    @called_by_users
    def restore_latest(self, sess: Any, checkpoint_dir: str, latest_filename: str | None = None) -> str | None:
        """Restores the latest readable checkpoint of a directory. The saver then keeps the checkpoints found there.

        If files are damaged or missing, an older checkpoint is restored, with a warning. Without a state file, or if
        the directory was moved, the checkpoints found in the directory are used.

        Args:
          sess: a session of the graph; None in eager execution.
          checkpoint_dir: the directory.
          latest_filename: name of the state file; None: "checkpoint".

        Returns:
          The name of the checkpoint; None if there is none.

        Raises:
          Exception: the error of the latest checkpoint if none is readable, for example DataLossError; errors of
            `restore` if checkpoint and graph do not fit.
        """
        self._files.wait_to_read()
        names = candidates(checkpoint_dir, latest_filename)
        found = restore_newest(names, lambda name: self.restore(sess, name))
        if found is not None:
            self.recover_last_checkpoints(reversed(names))
        return found

    # -- Serialization -----------------------------------------------------------------------------------------------

    def as_saver_def(self) -> Any:
        """Returns the `SaverDef`, from which the saver can be made again for the same graph."""
        return self.saver_def

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Returns the `SaverDef`, with names relative to `export_scope`; None if the saver is outside of that scope."""
        return self.saver_def if export_scope is None else relative_to(self.saver_def, export_scope)

    @staticmethod
    def from_proto(saver_def: Any, import_scope: str | None = None) -> Saver:
        """Returns the saver of a `SaverDef` whose operations are in the default graph, in `import_scope`."""
        return Saver(saver_def=saver_def, name=import_scope)

    # -- The list of checkpoints -------------------------------------------------------------------------------------

    @property
    def last_checkpoints(self) -> list[str]:
        """Names of the checkpoints that this saver keeps, oldest first."""
        return self._files.checkpoints.names

    def set_last_checkpoints(self, last_checkpoints: list[str]) -> None:
        """Sets the checkpoints that the saver keeps, oldest first.

        Args:
          last_checkpoints: list of names.

        Raises:
          AssertionError: if it is not a list.
        """
        if not isinstance(last_checkpoints, list):
            raise AssertionError
        self._files.replace_list([(name, math.inf) for name in last_checkpoints])

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time: list[tuple[str, float]]) -> None:
        """Sets the checkpoints that the saver keeps, with their times.

        Args:
          last_checkpoints_with_time: list of (name, seconds since 1970) pairs, oldest first.

        Raises:
          AssertionError: if it is not a list.
        """
        if not isinstance(last_checkpoints_with_time, list):
            raise AssertionError
        self._files.replace_list(last_checkpoints_with_time)

    def recover_last_checkpoints(self, checkpoint_paths: Any) -> None:
        """Sets the checkpoints that the saver keeps, after a restart.

        Args:
          checkpoint_paths: names, oldest first; checkpoints that do not exist are skipped.
        """
        self._files.recover_list(checkpoint_paths)


def _raw(sess: Any) -> Any:
    """Returns the session wrapped by a monitored session; other sessions unchanged."""
    raw_session = getattr(sess, "raw_session", None)
    return sess if raw_session is None else raw_session()


register_for_package(GraphKeys.SAVERS, "SaverDef", Saver.to_proto, Saver.from_proto)
