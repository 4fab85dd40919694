"""`tf.train.SummarySaverHook`: summaries, each so many steps or seconds."""

from __future__ import annotations

from typing import Any

from tinytf import protos
from tinytf.events.file_writer_cache import FileWriterCache
from tinytf.exports import tf_export
from tinytf.monitoring.disk_errors import write_events
from tinytf.monitoring.global_step_reads import global_step_read
from tinytf.monitoring.idling import WATCHFUL, Idle, idles
from tinytf.monitoring.scaffold import Scaffold
from tinytf.training.second_or_step_timer import SecondOrStepTimer
from tinytf.training.session_run_hook import SessionRunArgs, SessionRunHook


@tf_export("train.SummarySaverHook")
@idles
class SummarySaverHook(SessionRunHook):
    """Writes summaries in the first step, then each so many steps or seconds.

    Args:
      save_steps, save_secs: how often; one of both.
      output_dir: the folder of the events; or `summary_writer`, which writes them. Without both nothing is written.
      scaffold: whose `summary_op` it is; or `summary_op`, a tensor or a list of them.

    ValueError unless one of the latter two is given.
    """

    waits_for_feeds = True  # results are None in steps that do not feed what the summaries need

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: str | None = None,
        summary_writer: Any = None,
        scaffold: Scaffold | None = None,
        summary_op: Any = None,
    ) -> None:
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary_op = summary_op
        self._summary_writer = summary_writer
        self._output_dir = output_dir
        self._scaffold = scaffold
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self) -> None:
        """Opens the folder's writer of events."""
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._next_step: Any = None
        self._global_step_tensor = global_step_read("SummarySaverHook")
        self._idle_args = SessionRunArgs(self._global_step_tensor)
        self._due_args: Any = None  # made once: sessions remember what they were asked for

    def before_run(self, run_context: Any) -> Any:
        """Asks for the step, and for the summaries if it is time."""
        if self._next_step is not None and not self._timer.should_trigger_for_step(self._next_step):
            return self._idle_args
        wanted = [self._global_step_tensor, *self._summary_ops()]
        if self._due_args is None or list(map(id, self._due_args.fetches)) != list(map(id, wanted)):
            self._due_args = SessionRunArgs(wanted)
        return self._due_args

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Writes them."""
        writer = self._summary_writer
        if not writer or run_values.results is None:
            return
        if not isinstance(
            run_values.results, list
        ):  # which this step was asked for, whatever other threads' steps were
            self._next_step = run_values.results + 2
            return
        step = run_context.session.run(self._global_step_tensor)
        if self._next_step is None:
            write_events(writer.add_session_log, protos.SessionLog(status=protos.SessionLog.START), step)
        self._timer.update_last_triggered_step(step)
        for summary in run_values.results[1:]:
            write_events(writer.add_summary, summary, step)
        self._next_step = step + 1

    def _idle(self) -> Any:
        if not self._summary_writer:
            return WATCHFUL  # it never notes that it has asked for summaries
        left = self._timer._left()
        if left is None or self._next_step is None or self._timer.should_trigger_for_step(self._next_step):
            return None
        return Idle(step_read=self._global_step_tensor, step_before=left[0] - 2, secs_before=left[1])

    def _slept(self, steps: int, last_step: int) -> None:
        self._next_step = last_step + 2

    def end(self, session: Any = None) -> None:
        """What was written is in the file then."""
        if self._summary_writer:
            write_events(self._summary_writer.flush)

    def _summary_ops(self) -> list[Any]:
        op = self._summary_op
        if op is None and self._scaffold is not None:
            op = self._scaffold.summary_op
        if op is None:
            return []
        return list(op) if isinstance(op, (list, tuple)) else [op]
