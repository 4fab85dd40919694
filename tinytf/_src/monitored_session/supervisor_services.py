"""Threads of a supervisor: summaries, step rate, checkpoints."""

from __future__ import annotations

import math
import time
from typing import Any

from tinytf._src import protos
from tinytf._src.framework.logs import tf_logging
from tinytf._src.training import training_util
from tinytf._src.training.looper_thread import LooperThread


class SVSummaryThread(LooperThread):
    """Writes summaries at regular intervals."""

    def __init__(self, sv: Any, sess: Any) -> None:
        super().__init__(sv.coord, sv.save_summaries_secs)
        self._sv = sv
        self._sess = sess

    def run_loop(self) -> None:
        """Writes one summary."""
        sv, step = self._sv, None
        if sv.global_step is None:
            summary = self._sess.run(sv.summary_op)
        else:
            summary, step = self._sess.run([sv.summary_op, sv.global_step])
        if sv.summary_writer:
            tf_logging.info("Recording summary at step %s.", step)
            sv.summary_writer.add_summary(summary, step)


class SVStepCounterThread(LooperThread):
    """Logs and writes steps per second at regular intervals."""

    def __init__(self, sv: Any, sess: Any, step_counter: Any = None) -> None:
        super().__init__(sv.coord, sv.save_summaries_secs)
        self._sv = sv
        self._sess = sess
        self._step_counter = sv.global_step if step_counter is None else step_counter
        self._summary_tag = f"{self._step_counter.op.name}/sec"

    def start_loop(self) -> None:
        """Initializes time and step."""
        self._last_time = time.monotonic()
        self._last_step = training_util.global_step(self._sess, self._step_counter)

    def run_loop(self) -> None:
        """Measures and writes the rate since the last call."""
        step, now = training_util.global_step(self._sess, self._step_counter), time.monotonic()
        seconds, steps = now - self._last_time, step - self._last_step
        self._last_time, self._last_step = now, step
        rate = steps / seconds if seconds else math.inf
        value = protos.Summary.Value(tag=self._summary_tag, simple_value=rate)
        if self._sv.summary_writer:
            self._sv.summary_writer.add_summary(protos.Summary(value=[value]), step)
        tf_logging.log_first_n(tf_logging.INFO, "%s: %g", 10, self._summary_tag, rate)


class SVTimerCheckpointThread(LooperThread):
    """Saves checkpoints at regular intervals."""

    def __init__(self, sv: Any, sess: Any) -> None:
        super().__init__(sv.coord, sv.save_model_secs)
        self._sv = sv
        self._sess = sess

    def run_loop(self) -> None:
        """Saves one checkpoint."""
        sv = self._sv
        tf_logging.info("Saving checkpoint to path %s", sv.save_path)
        sv.saver.save(self._sess, sv.save_path, global_step=sv.global_step)
        if sv.summary_writer and sv.global_step is not None:
            sv.summary_writer.add_session_log(
                protos.SessionLog(status=protos.SessionLog.CHECKPOINT, checkpoint_path=sv.save_path),
                training_util.global_step(self._sess, sv.global_step),
            )
