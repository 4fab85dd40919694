"""`tf.train.ProfilerHook`: traces steps at intervals of steps or seconds."""

from __future__ import annotations

import os
from typing import Any

from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.global_step_reads import global_step_read
from tinytf._src.monitored_session.idling import Idle, idles
from tinytf._src.platform import file_io
from tinytf._src.profiler.timeline import Timeline
from tinytf._src.summary.file_writer_cache import FileWriterCache
from tinytf._src.training.second_or_step_timer import SecondOrStepTimer
from tinytf._src.training.session_run_hook import SessionRunArgs, SessionRunHook


@tf_export("train.ProfilerHook")
@idles
class ProfilerHook(SessionRunHook):
    """Traces steps at intervals, but never the first. Writes `timeline-<step>.json`, which chrome://tracing and
    Perfetto show, and the step's `RunMetadata` as an event.

    Args:
      save_steps: int, global steps between traces, or None.
      save_secs: float, seconds between traces, or None. Exactly one of both must be set.
      output_dir: directory of the files.
      show_dataflow: bool, whether the timeline has flow events between operations.
      show_memory: bool, whether the timeline shows memory use.
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: str = "",
        show_dataflow: bool = True,
        show_memory: bool = False,
    ) -> None:
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)
        self._output_file = os.path.join(output_dir, "timeline-{}.json")
        self._file_writer = FileWriterCache.get(output_dir)
        self._show_dataflow = show_dataflow
        self._show_memory = show_memory
        self._times: dict[int, int] = {}  # number of traces of each step; a recovered session repeats steps

    def begin(self) -> None:
        """Finds the global step."""
        self._next_step: Any = None
        self._request_trace = False
        self._global_step_tensor = global_step_read("ProfilerHook")

    def before_run(self, run_context: Any) -> Any:
        """Fetches the global step, with a trace if the timer is due."""
        self._request_trace = self._next_step is not None and self._timer.should_trigger_for_step(self._next_step)
        options = protos.RunOptions(trace_level=protos.RunOptions.FULL_TRACE) if self._request_trace else None
        return SessionRunArgs(self._global_step_tensor, options=options)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Writes the trace."""
        seen = run_values.results
        if self._next_step is None:
            self._timer.update_last_triggered_step(seen)
        step = seen + 1
        if self._request_trace:
            step = run_context.session.run(self._global_step_tensor)
            self._timer.update_last_triggered_step(step)
            self._save(int(step), run_values.run_metadata)
        self._next_step = step + 1

    def _idle(self) -> Any:
        left = self._timer._left()
        if left is None or self._next_step is None or self._timer.should_trigger_for_step(self._next_step):
            return None
        self._request_trace = False
        return Idle(step_read=self._global_step_tensor, step_before=left[0] - 2, secs_before=left[1])

    def _slept(self, steps: int, last_step: int) -> None:
        self._next_step = last_step + 2

    def _save(self, step: int, run_metadata: Any) -> None:
        path = self._output_file.format(step)
        tf_logging.info("Saving timeline for %d into '%s'.", step, path)
        timeline = Timeline(run_metadata.step_stats)
        file_io.write_string_to_file(
            path, timeline.generate_chrome_trace_format(self._show_dataflow, self._show_memory)
        )
        times = self._times[step] = self._times.get(step, 0) + 1
        self._file_writer.add_run_metadata(run_metadata, f"step_{step}" if times == 1 else f"step_{step}_{times}")
