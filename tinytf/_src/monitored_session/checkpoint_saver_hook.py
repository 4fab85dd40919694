"""`tf.train.CheckpointSaverHook`: saves checkpoints at intervals of steps or seconds."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.saver import Saver
from tinytf._src.exports import tf_export
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.disk_errors import DISK_ERRORS, write_events
from tinytf._src.monitored_session.global_step_reads import global_step_read
from tinytf._src.monitored_session.idling import Idle, idles
from tinytf._src.monitored_session.restoring import restored_checkpoint
from tinytf._src.monitored_session.saver_listeners import SaverListeners
from tinytf._src.monitored_session.scaffold import Scaffold, saver_of_collection
from tinytf._src.monitored_session.written_graphs import WrittenGraphs
from tinytf._src.summary.file_writer_cache import FileWriterCache
from tinytf._src.training.second_or_step_timer import SecondOrStepTimer
from tinytf._src.training.session_run_hook import SessionRunArgs, SessionRunHook

_LOOK = 0.02  # poll interval in seconds while a checkpoint is being written


@tf_export("train.CheckpointSaverHook")
@idles
class CheckpointSaverHook(SessionRunHook):
    """Saves a checkpoint when a session is created, at intervals of steps or seconds, and at the end.

    A session restored from the checkpoint that would be written first does not write it again. If the disk is full or
    not writable, training continues without that checkpoint, and an error is logged; the first and the last save raise
    the error.

    A saver with `async_save` writes in the background. The first step after a write calls the listeners or raises the
    write's error; the next save and `end` wait for it. If an error or a loss of the session leaves no such step, a
    warning names the checkpoint that was not written and the reason; it also becomes a note of the error that ends the
    session (from Python 3.11 on).

    Args:
      checkpoint_dir: directory of the checkpoints.
      save_secs: seconds between saves, or None.
      save_steps: global steps between saves, or None. Exactly one of both must be set.
      saver: a `Saver`; None: the one of `scaffold`, else the one in the collection SAVERS.
      checkpoint_basename: prefix of the checkpoints' names.
      scaffold: a `Scaffold` whose saver is used, or None.
      listeners: `CheckpointSaverListener`s, or None.

    Raises:
      ValueError: if both a saver and a scaffold are given.
    """

    end_priority = 100  # after the `end` of other hooks

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
        self._listeners = SaverListeners(listeners or ())
        self._steps_per_run = 1
        self._pending: Any = None  # global step of the checkpoint that is being written
        self._pending_name: str | None = None
        self.last_checkpoint: str | None = None  # name of the last complete checkpoint
        self._lost = False  # whether the last due checkpoint was not written
        self._ended_by: BaseException | None = None  # the error that ends the session

    def add_listener(self, listener: Any) -> None:
        """Adds a listener. Idempotent."""
        self._listeners.add(listener)

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        self._steps_per_run = steps_per_run

    def begin(self) -> None:
        """Opens the event writer of the directory."""
        self._summary_writer = FileWriterCache.get(self._checkpoint_dir)
        self._saving = threading.RLock()  # reentrant: listeners may run steps
        self._graphs = WrittenGraphs(self._checkpoint_dir, self._summary_writer)
        self._global_step_tensor = global_step_read("CheckpointSaverHook")
        self._args = SessionRunArgs(self._global_step_tensor)
        self._listeners.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Writes the graph, if it has changed since it was written last, and the first checkpoint."""
        self._finish_of_lost(session)
        step = session.run(self._global_step_tensor)
        meta_graph = None
        if not self._graphs.has(session.graph):
            meta_graph = self._graphs.write(session.graph, self._get_saver().saver_def)
        if restored_checkpoint(session) != f"{self._save_path}-{step}":
            self._save(session, step, meta_graph)
        self._timer.update_last_triggered_step(step)

    def before_run(self, run_context: Any) -> Any:
        """Fetches the global step."""
        return self._args

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Saves if the timer is due. Skipped while another thread saves; a later step saves then, so that checkpoints
        are written in order."""
        if self._saving.acquire(blocking=False):
            try:
                self._save_if_due(run_context, run_values)
            finally:
                self._saving.release()

    def _save_if_due(self, run_context: Any, run_values: Any) -> None:
        wants_stop = False
        if self._pending is not None and not self._get_saver().is_saving():
            wants_stop = self._finish_logged(run_context.session)
        if self._timer.should_trigger_for_step(run_values.results + self._steps_per_run):
            session = run_context.session
            step = session.run(self._global_step_tensor)
            if self._timer.should_trigger_for_step(step):
                self._timer.update_last_triggered_step(step)
                wants_stop |= self._finish_logged(session)
                try:
                    wants_stop |= self._save(session, step)
                except DISK_ERRORS as error:
                    self._lose(step, error)
        if wants_stop:
            run_context.request_stop()

    def _idle(self) -> Any:
        left = self._timer._left()
        if left is None:
            return None
        after = left[0] - self._steps_per_run
        secs = left[1] if self._pending is None else min(left[1], _LOOK)
        return Idle(step_read=self._global_step_tensor, step_after=after, secs_after=secs)

    def end(self, session: Any) -> None:
        """Saves the final state, unless the last checkpoint has it."""
        with self._saving:
            self._save_last(session)

    def _save_last(self, session: Any) -> None:
        step = session.run(self._global_step_tensor)
        is_new = step != self._timer.last_triggered_step()
        try:
            if is_new:
                self._finish_logged(session)  # errors of an older checkpoint are only logged: a newer one follows
            else:
                self._finish(session)
        finally:
            if is_new or self._lost:
                self._save(session, step)
                self._finish(session)
        self._listeners.end(session, step)

    def on_error(self, error: BaseException) -> None:
        """Reports that the pending checkpoint could not be written, as no step is going to do so."""
        self._ended_by = error
        if self._pending is not None and not self._get_saver().is_saving():
            self._look_back()

    def on_close(self) -> None:
        """Does the same, however the session ended. A write that is still running reports its own errors."""
        self._look_back()
        self._pending = self._ended_by = None

    def _look_back(self) -> None:
        """Reports the error of the pending checkpoint, if it could not be written."""
        if self._pending is None or not self._saving.acquire(blocking=False):
            return  # another thread is saving and gets the error
        try:
            saver = self._get_saver()
            was_saving = saver.is_saving()
            told = saver.stop_waiting()
            if told is not None:
                self._pending, self._lost = None, True
                if self._ended_by is not None and hasattr(self._ended_by, "add_note"):
                    self._ended_by.add_note(told)
            elif not was_saving:
                self.last_checkpoint = self._pending_name
        finally:
            self._saving.release()

    def _save(self, session: Any, step: Any, meta_graph: bytes | None = None) -> bool:
        """Saves; returns whether a listener requests a stop. `meta_graph`: the graph's serialized MetaGraphDef, if
        known."""
        tf_logging.info("Saving checkpoints for %d into %s.", step, self._save_path)
        self._listeners.before_save(session, step)
        saver = self._get_saver()
        if not self._listeners and isinstance(saver, Saver):  # no listener can have changed the graph
            saver._meta_graph = meta_graph
        saved = saver.save(session, self._save_path, global_step=step)
        self._lost = False
        if getattr(saver, "saves_later", False):  # savers of other classes may lack it
            self._pending = step
            self._pending_name = saved
            return False
        self.last_checkpoint = saved
        return self._tell_saved(session, step)

    def _finish(self, session: Any) -> bool:
        """Waits for the pending checkpoint, if any; returns whether a listener requests a stop."""
        step, self._pending = self._pending, None
        if step is None:
            return False
        self._get_saver().wait()
        self.last_checkpoint = self._pending_name
        return self._tell_saved(session, step)

    def _finish_logged(self, session: Any) -> bool:
        """Like `_finish`; logs errors of the disk."""
        step = self._pending
        try:
            return self._finish(session)
        except DISK_ERRORS as error:
            self._lose(step, error)
            return False

    def _finish_of_lost(self, session: Any) -> None:
        """Does what `_finish` does for the lost session; other errors are only reported, as they would end the new
        session."""
        if self._pending is not None:
            self._get_saver()._files.wait_to_read()
            self._look_back()
            self._finish(session)

    def _lose(self, step: Any, error: BaseException) -> None:
        self._lost = True
        tf_logging.error("Training continues without a checkpoint of step %d: %s", step, str(error))

    def _tell_saved(self, session: Any, step: Any) -> bool:
        """Notifies events and listeners of a save; returns whether a listener requests a stop."""
        log = protos.SessionLog(status=protos.SessionLog.CHECKPOINT, checkpoint_path=self._save_path)
        write_events(self._summary_writer.add_session_log, log, step)
        return self._listeners.after_save(session, step)

    def pending_deletions(self) -> list[str]:
        """Returns the checkpoints that the saver no longer lists but could not delete yet."""
        saver = self._saver if self._saver is not None else getattr(self._scaffold, "saver", None)
        return list(getattr(saver, "pending_deletions", ()))

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
