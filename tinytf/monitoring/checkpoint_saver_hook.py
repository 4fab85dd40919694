"""`tf.train.CheckpointSaverHook`: checkpoints, each so many steps or seconds."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from tinytf import protos
from tinytf.events.file_writer_cache import FileWriterCache
from tinytf.exports import tf_export
from tinytf.framework import errors_impl, tf_logging
from tinytf.framework.graph import Graph
from tinytf.framework.graph_keys import GraphKeys
from tinytf.monitoring.global_step_reads import global_step_read
from tinytf.monitoring.restoring import restored_checkpoint
from tinytf.monitoring.scaffold import Scaffold, saver_of_collection
from tinytf.saving.meta_graph import create_meta_graph_def
from tinytf.training.graph_files import write_graph
from tinytf.training.second_or_step_timer import SecondOrStepTimer
from tinytf.training.session_run_hook import SessionRunArgs, SessionRunHook

# What a disk that is full or must not be written says: the next save may do better.
_DISK_ERRORS = (errors_impl.ResourceExhaustedError, errors_impl.PermissionDeniedError, OSError)


@tf_export("train.CheckpointSaverHook")
class CheckpointSaverHook(SessionRunHook):
    """Saves when a session is made, then each so many steps or seconds, and at the end.

    A session that begins with the very checkpoint that would be written is not saved again. Where the disk is full, or must
    not be written, training goes on without that checkpoint, with an error in the log; the first and the last save raise it.

    Args:
      checkpoint_dir: the folder.
      save_secs, save_steps: how often; one of both.
      saver: a saver; or `scaffold`, which has one; else the one of the collection SAVERS.
      checkpoint_basename: how names of checkpoints begin.
      listeners: `CheckpointSaverListener`s.

    ValueError for a saver and a scaffold.
    """

    end_priority = 100  # after other hooks have done their last

    def __init__(
        self,
        checkpoint_dir: str,
        save_secs: float | None = None,
        save_steps: int | None = None,
        saver: Any = None,
        checkpoint_basename: str = "model.ckpt",
        scaffold: Scaffold | None = None,
        listeners: Iterable[Any] | None = None,
    ) -> None:
        tf_logging.info("Create CheckpointSaverHook.")
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver = saver
        self._checkpoint_dir = checkpoint_dir
        self._save_path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._scaffold = scaffold
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)
        self._listeners = list(listeners or ())
        self._steps_per_run = 1
        self._written_version: int | None = None  # of the graph

    def add_listener(self, listener: Any) -> None:
        """One more, unless it is there already."""
        if listener not in self._listeners:
            self._listeners.append(listener)

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        self._steps_per_run = steps_per_run

    def begin(self) -> None:
        """Opens the folder's writer of events."""
        self._summary_writer = FileWriterCache.get(self._checkpoint_dir)
        self._global_step_tensor = global_step_read("CheckpointSaverHook")
        self._args = SessionRunArgs(self._global_step_tensor)
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Writes the graph, unless it is written as it is, and the first checkpoint."""
        step = session.run(self._global_step_tensor)
        if self._written_version != session.graph.version:
            self._write_graph(session.graph)
        if restored_checkpoint(session) != f"{self._save_path}-{step}":
            self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def _write_graph(self, graph: Graph) -> None:
        graph_def = graph.as_graph_def(add_shapes=True)
        write_graph(graph_def, self._checkpoint_dir, "graph.pbtxt")
        saver = self._get_saver()
        self._summary_writer.add_graph(graph)
        with graph.as_default():
            meta_graph = create_meta_graph_def(graph_def=graph_def, saver_def=saver.saver_def)
        self._summary_writer.add_meta_graph(meta_graph)
        self._written_version = graph.version

    def before_run(self, run_context: Any) -> Any:
        """Asks for the step."""
        return self._args

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Saves if it is time."""
        if self._timer.should_trigger_for_step(run_values.results + self._steps_per_run):
            session = run_context.session
            step = session.run(self._global_step_tensor)
            if self._timer.should_trigger_for_step(step):
                self._timer.update_last_triggered_step(step)
                try:
                    if self._save(session, step):
                        run_context.request_stop()
                except _DISK_ERRORS as error:
                    tf_logging.error("Training goes on without a checkpoint of step %d: %s", step, str(error))

    def end(self, session: Any) -> None:
        """Saves what came after the last checkpoint."""
        step = session.run(self._global_step_tensor)
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for listener in self._listeners:
            listener.end(session, step)

    def _save(self, session: Any, step: Any) -> bool:
        """Whether a listener wants the stop."""
        tf_logging.info("Saving checkpoints for %d into %s.", step, self._save_path)
        for listener in self._listeners:
            listener.before_save(session, step)
        self._get_saver().save(session, self._save_path, global_step=step)
        self._summary_writer.add_session_log(
            protos.SessionLog(status=protos.SessionLog.CHECKPOINT, checkpoint_path=self._save_path), step
        )
        wants_stop = False
        for listener in self._listeners:
            if listener.after_save(session, step):
                text = "A CheckpointSaverListener requested that training be stopped. listener: %s"
                tf_logging.info(text, listener)
                wants_stop = True
        return wants_stop

    def _get_saver(self) -> Any:
        if self._saver is not None:
            return self._saver
        if self._scaffold is not None:
            return self._scaffold.saver
        self._saver = saver_of_collection()
        if self._saver is None:
            raise RuntimeError(
                f"No items in collection {GraphKeys.SAVERS}. Please add a saver to the collection or provide a saver or "
                "scaffold."
            )
        return self._saver
