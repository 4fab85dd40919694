"""`tf.train.StepCounterHook`: measures steps per second."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.disk_errors import write_events
from tinytf._src.monitored_session.global_step_reads import global_step_read
from tinytf._src.monitored_session.idling import Idle, idles
from tinytf._src.summary.file_writer_cache import FileWriterCache
from tinytf._src.training import training_util
from tinytf._src.training.second_or_step_timer import SecondOrStepTimer
from tinytf._src.training.session_run_hook import SessionRunArgs, SessionRunHook

_SHORTEST = 1e-9  # seconds; avoids a division by zero
_MOST_WARNINGS = 5  # in a process, about a global step that does not change
_warnings = 0


@tf_export("train.StepCounterHook")
@idles
class StepCounterHook(SessionRunHook):
    """Logs global steps per second, and writes them as summaries, at intervals of steps or seconds.

    Args:
      every_n_steps: int, global steps between measurements, or None.
      every_n_secs: float, seconds between measurements, or None.
      output_dir: directory of the events, or None.
      summary_writer: a `FileWriter` in place of `output_dir`, or None. Without both the hook only logs.

    Raises:
      ValueError: unless exactly one interval is given.
    """

    def __init__(
        self,
        every_n_steps: int | None = 100,
        every_n_secs: float | None = None,
        output_dir: str | None = None,
        summary_writer: Any = None,
    ) -> None:
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError("exactly one of every_n_steps and every_n_secs should be provided.")
        self._timer = SecondOrStepTimer(every_secs=every_n_secs, every_steps=every_n_steps)
        self._summary_writer = summary_writer
        self._output_dir = output_dir
        self._last_global_step: Any = None
        self._steps_per_run = 1

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        self._steps_per_run = steps_per_run

    def begin(self) -> None:
        """Opens the event writer of the directory."""
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._global_step_tensor = global_step_read("StepCounterHook")
        self._args = SessionRunArgs(self._global_step_tensor)
        self._summary_tag = training_util.get_global_step().op.name + "/sec"

    def before_run(self, run_context: Any) -> Any:
        """Fetches the global step."""
        return self._args

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Logs the rate if the timer is due; warns if the global step does not change."""
        seen = run_values.results
        if self._timer.should_trigger_for_step(seen + self._steps_per_run):
            step = run_context.session.run(self._global_step_tensor)
            if self._timer.should_trigger_for_step(step):
                seconds, steps = self._timer.update_last_triggered_step(step)
                if seconds is not None:
                    self._log_and_record(steps, seconds, step)
        if seen == self._last_global_step and _warnings < _MOST_WARNINGS:
            _warn_of_still_step(seen)
        self._last_global_step = seen

    def _idle(self) -> Any:
        left = self._timer._left()
        if left is None or self._last_global_step is None:
            return None
        return Idle(
            step_read=self._global_step_tensor,
            step_after=left[0] - self._steps_per_run,
            secs_after=left[1],
            last_step=self._last_global_step if _warnings < _MOST_WARNINGS else None,
        )

    def _slept(self, steps: int, last_step: int) -> None:
        self._last_global_step = last_step

    def _log_and_record(self, elapsed_steps: Any, elapsed_time: float, global_step: Any) -> None:
        rate = elapsed_steps / max(elapsed_time, _SHORTEST)
        if self._summary_writer is not None:
            value = protos.Summary.Value(tag=self._summary_tag, simple_value=rate)
            write_events(self._summary_writer.add_summary, protos.Summary(value=[value]), global_step)
        tf_logging.info("%s: %g", self._summary_tag, rate)


def _warn_of_still_step(step: Any) -> None:
    global _warnings
    _warnings += 1
    tf_logging.warning(
        "It seems that global step (tf.train.get_global_step) has not been increased. Current value (could be stable): %s vs "
        "previous value: %s. You could increase the global step by passing tf.train.get_global_step() to "
        "Optimizer.apply_gradients or Optimizer.minimize.",
        step,
        step,
    )
