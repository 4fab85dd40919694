"""`tf.train.StopAtStepHook`: stops a training after a number of steps."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.monitored_session.global_step_reads import global_step_read
from tinytf._src.monitored_session.idling import Idle, idles
from tinytf._src.training.session_run_hook import SessionRunArgs, SessionRunHook


@tf_export("train.StopAtStepHook")
@idles
class StopAtStepHook(SessionRunHook):
    """Requests a stop after a number of steps, or at a global step.

    Args:
      num_steps: int, number of global steps after the first session's initial one, or None.
      last_step: int, the global step to stop at, or None.

    Raises:
      ValueError: unless exactly one of both is given.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps = num_steps
        self._last_step = last_step

    def begin(self) -> None:
        """Finds the global step."""
        self._global_step_tensor = global_step_read("StopAtStepHook")
        self._args = SessionRunArgs(self._global_step_tensor)

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Computes the last step, from the first session's global step."""
        if self._last_step is None:
            self._last_step = session.run(self._global_step_tensor) + self._num_steps

    def before_run(self, run_context: Any) -> Any:
        """Fetches the global step."""
        return self._args

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Requests a stop at the last step. The fetched global step may precede the step's update, so it is read again
        near the end."""
        if run_values.results + 1 >= self._last_step and (
            run_context.session.run(self._global_step_tensor) >= self._last_step
        ):
            run_context.request_stop()

    def _idle(self) -> Any:
        return None if self._last_step is None else Idle(self._global_step_tensor, step_after=self._last_step - 1)
