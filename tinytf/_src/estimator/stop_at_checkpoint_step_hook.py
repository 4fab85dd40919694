"""`tf.estimator.experimental.make_stop_at_checkpoint_step_hook`."""

from __future__ import annotations

import time
from typing import Any

from tinytf._src.estimator.estimator import Estimator
from tinytf._src.estimator.model_dir import ModelDir
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.monitored_session.global_step_reads import global_step_read
from tinytf._src.monitored_session.stop_at_step_hook import StopAtStepHook
from tinytf._src.training.session_run_hook import SessionRunArgs, SessionRunHook


class _StopAtCheckpointStepHook(SessionRunHook):
    """Requests a stop when a checkpoint has the last step; steps that are not saved may still be lost."""

    def __init__(self, model_dir: str, last_step: int, wait_after_file_check_secs: float) -> None:
        if last_step is None:
            raise ValueError("last_step must be specified.")
        if model_dir is None:
            raise ValueError("model_dir must be specified.")
        self._model_dir = model_dir
        self._last_step = last_step
        self._wait_after_file_check_secs = wait_after_file_check_secs

    def begin(self) -> None:
        """Finds the global step."""
        self._args = SessionRunArgs(global_step_read("StopAtCheckpointStepHook"))

    def before_run(self, run_context: Any) -> Any:
        """Fetches the global step."""
        return self._args

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Near the end, checks the latest checkpoint; waits if it is older."""
        if run_values.results + 1 < self._last_step:
            return
        if ModelDir(self._model_dir).global_step() >= self._last_step:
            run_context.request_stop()
        else:
            time.sleep(self._wait_after_file_check_secs)


@tf_export("estimator.experimental.make_stop_at_checkpoint_step_hook")
@called_by_users
def make_stop_at_checkpoint_step_hook(
    estimator: Estimator, last_step: int, wait_after_file_check_secs: float = 30
) -> SessionRunHook:
    """Returns a hook that stops the training at a global step.

    The chief stops at that step. Other workers of a cluster stop when a checkpoint has it.

    Args:
      estimator: the `Estimator` that is trained.
      last_step: int, the global step.
      wait_after_file_check_secs: float, how long a worker waits after finding an older checkpoint.

    Returns:
      A `SessionRunHook`.

    Raises:
      ValueError: if `last_step` is None.
    """
    if estimator.config.is_chief:
        return StopAtStepHook(last_step=last_step)
    return _StopAtCheckpointStepHook(estimator.model_dir, last_step, wait_after_file_check_secs)
