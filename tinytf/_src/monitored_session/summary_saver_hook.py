"""`tf.train.SummarySaverHook`: writes summaries at intervals of steps or seconds."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.monitored_session.disk_errors import write_events
from tinytf._src.monitored_session.global_step_reads import global_step_read
from tinytf._src.monitored_session.idling import WATCHFUL, Idle, idles
from tinytf._src.monitored_session.scaffold import Scaffold
from tinytf._src.summary.file_writer_cache import FileWriterCache
from tinytf._src.training.second_or_step_timer import SecondOrStepTimer
from tinytf._src.training.session_run_hook import SessionRunArgs, SessionRunHook


@tf_export("train.SummarySaverHook")
@idles
class SummarySaverHook(SessionRunHook):
    """Writes summaries in the first step, then at intervals of steps or seconds.

    Args:
      save_steps: int, global steps between summaries, or None.
      save_secs: float, seconds between summaries, or None. Exactly one of both must be set.
      output_dir: directory of the events, or None.
      summary_writer: a `FileWriter` in place of `output_dir`, or None. Without both nothing is written.
      scaffold: a `Scaffold` whose `summary_op` is written, or None.
      summary_op: a string tensor of summaries, or a list of them, or None.

    Raises:
      ValueError: unless exactly one of `scaffold` and `summary_op` is given.
    """

    waits_for_feeds = True  # results are None in steps that do not feed the summaries' placeholders

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
        """Opens the event writer of the directory."""
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._next_step: Any = None
        self._global_step_tensor = global_step_read("SummarySaverHook")
        self._idle_args = SessionRunArgs(self._global_step_tensor)
        self._due_args: Any = None  # reused, as sessions cache calls by the identity of the fetches

    def before_run(self, run_context: Any) -> Any:
        """Fetches the global step, and the summaries if the timer is due."""
        if self._next_step is not None and not self._timer.should_trigger_for_step(self._next_step):
            return self._idle_args
        wanted = [self._global_step_tensor, *self._summary_ops()]
        if self._due_args is None or list(map(id, self._due_args.fetches)) != list(map(id, wanted)):
            self._due_args = SessionRunArgs(wanted)
        return self._due_args

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Writes the summaries."""
        writer = self._summary_writer
        if not writer or run_values.results is None:
            return
        if not isinstance(
            run_values.results, list
        ):  # no summaries fetched; judged by this step's own result, as other threads run steps, too
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
            return WATCHFUL  # without a writer, `_next_step` is never set
        left = self._timer._left()
        if left is None or self._next_step is None or self._timer.should_trigger_for_step(self._next_step):
            return None
        return Idle(step_read=self._global_step_tensor, step_before=left[0] - 2, secs_before=left[1])

    def _slept(self, steps: int, last_step: int) -> None:
        self._next_step = last_step + 2

    def end(self, session: Any = None) -> None:
        """Flushes the event file."""
        if self._summary_writer:
            write_events(self._summary_writer.flush)

    def _summary_ops(self) -> list[Any]:
        op = self._summary_op
        if op is None and self._scaffold is not None:
            op = self._scaffold.summary_op
        if op is None:
            return []
        return list(op) if isinstance(op, (list, tuple)) else [op]
