"""`tf.train.GlobalStepWaiterHook`: delays the start of a worker."""

from __future__ import annotations

import time
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.global_step_reads import global_step_read
from tinytf._src.monitored_session.idling import Idle, idles
from tinytf._src.training.session_run_hook import SessionRunHook

_LOOK = 0.5  # poll interval in seconds
_LOG_EACH = 1000  # global steps between log lines


@tf_export("train.GlobalStepWaiterHook")
@idles
class GlobalStepWaiterHook(SessionRunHook):
    """Delays the first step until other workers have advanced the global step.

    Args:
      wait_until_step: int, the global step to wait for.
    """

    def __init__(self, wait_until_step: int) -> None:
        self._wait_until_step = wait_until_step

    def begin(self) -> None:
        """Finds the global step."""
        self._worker_is_started = False
        self._global_step_tensor = global_step_read("_GlobalStepWaiterHook")

    def before_run(self, run_context: Any) -> None:
        """Waits, before the first step only."""
        if self._worker_is_started:
            return
        if self._wait_until_step > 0:
            self._wait(run_context.session)
        self._worker_is_started = True

    def _idle(self) -> Any:
        return Idle() if self._worker_is_started else None

    def _wait(self, session: Any) -> None:
        text = "Waiting for global step %d before starting training."
        tf_logging.info(text, self._wait_until_step)
        logged = 0
        while (step := session.run(self._global_step_tensor)) < self._wait_until_step:
            if step - logged > _LOG_EACH:
                tf_logging.info(text + " Current step is %d.", self._wait_until_step, step)
                logged = step
            time.sleep(_LOOK)
