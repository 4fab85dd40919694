"""Hooks that stop a training early, depending on its evaluations."""

from __future__ import annotations

import operator
import os
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from tinytf._src.estimator.estimator import Estimator
from tinytf._src.estimator.evaluation_summaries import read_results
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.state import state_ops
from tinytf._src.platform import file_io
from tinytf._src.training.second_or_step_timer import SecondOrStepTimer
from tinytf._src.training.session_run_hook import SessionRunArgs, SessionRunHook
from tinytf._src.training.training_util import get_global_step
from tinytf._src.variables import initializers
from tinytf._src.variables import scope as variable_scope


@tf_export("estimator.experimental.make_early_stopping_hook")
@called_by_users
def make_early_stopping_hook(
    estimator: Estimator,
    should_stop_fn: Callable[[], bool],
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> SessionRunHook:
    """Returns a hook that stops the training when a function returns True.

    The chief calls the function; a variable of the model tells other processes.

    Args:
      estimator: the `Estimator` that is trained.
      should_stop_fn: callable without arguments that returns a bool.
      run_every_secs: seconds between calls, or None.
      run_every_steps: global steps between calls, or None. At most one of both may be set.

    Returns:
      A `SessionRunHook`.

    Raises:
      TypeError: if `estimator` is not an `Estimator`, or `should_stop_fn` is not callable.
      ValueError: if both intervals are set.
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}")
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    if estimator.config.is_chief:
        return _StopOnPredicateHook(should_stop_fn, run_every_secs, run_every_steps)
    return _CheckForStoppingHook()


@tf_export("estimator.experimental.stop_if_higher_hook")
@called_by_users
def stop_if_higher_hook(
    estimator: Estimator,
    metric_name: str,
    threshold: float,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> SessionRunHook:
    """Returns a hook that stops the training once a metric exceeds a threshold.

    Args:
      estimator: the `Estimator` that is trained.
      metric_name: str, name of the metric in evaluation results.
      threshold: float.
      eval_dir: directory with the event files of evaluations; None: `estimator.eval_dir()`.
      min_steps: int, results of earlier global steps are ignored.
      run_every_secs, run_every_steps: interval between checks; at most one of both may be set.

    Returns:
      A `SessionRunHook`.
    """
    crosses = _crosses(estimator, metric_name, threshold, operator.gt, "greater than", eval_dir, min_steps)
    return make_early_stopping_hook(estimator, crosses, run_every_secs, run_every_steps)


@tf_export("estimator.experimental.stop_if_lower_hook")
@called_by_users
def stop_if_lower_hook(
    estimator: Estimator,
    metric_name: str,
    threshold: float,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> SessionRunHook:
    """Returns a hook that stops the training once a metric falls below a threshold; see `stop_if_higher_hook`."""
    crosses = _crosses(estimator, metric_name, threshold, operator.lt, "less than", eval_dir, min_steps)
    return make_early_stopping_hook(estimator, crosses, run_every_secs, run_every_steps)


@tf_export("estimator.experimental.stop_if_no_increase_hook")
@called_by_users
def stop_if_no_increase_hook(
    estimator: Estimator,
    metric_name: str,
    max_steps_without_increase: int,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> SessionRunHook:
    """Returns a hook that stops the training once a metric has not exceeded its maximum for
    `max_steps_without_increase` global steps; see `stop_if_higher_hook`."""
    stays = _stays(estimator, metric_name, max_steps_without_increase, operator.gt, "increase", eval_dir, min_steps)
    return make_early_stopping_hook(estimator, stays, run_every_secs, run_every_steps)


@tf_export("estimator.experimental.stop_if_no_decrease_hook")
@called_by_users
def stop_if_no_decrease_hook(
    estimator: Estimator,
    metric_name: str,
    max_steps_without_decrease: int,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> SessionRunHook:
    """Returns a hook that stops the training once a metric has not fallen below its minimum for
    `max_steps_without_decrease` global steps; see `stop_if_higher_hook`."""
    stays = _stays(estimator, metric_name, max_steps_without_decrease, operator.lt, "decrease", eval_dir, min_steps)
    return make_early_stopping_hook(estimator, stays, run_every_secs, run_every_steps)


def read_eval_metrics(eval_dir: str) -> OrderedDict[int, dict[str, float]]:
    """Reads evaluation results from the event files of a directory; returns them by global step, in order."""
    found: dict[int, dict[str, float]] = {}
    if file_io.file_exists(eval_dir):
        for step, metrics in read_results(os.path.join(eval_dir, "events.out.tfevents.*")):
            found.setdefault(step, {}).update(metrics)
    return OrderedDict(sorted(found.items()))


_Better = Callable[[float, float], bool]


def _crosses(
    estimator: Estimator,
    name: str,
    threshold: float,
    is_better: _Better,
    relation: str,
    eval_dir: str | None,
    min_steps: int,
) -> Callable[[], bool]:
    folder = estimator.eval_dir() if eval_dir is None else eval_dir

    def should_stop() -> bool:
        for step, metrics in read_eval_metrics(folder).items():
            if step >= min_steps and is_better(metrics[name], threshold):
                tf_logging.info(
                    'At step %s, metric "%s" has value %s which is %s the configured threshold (%s) for early stopping.',
                    step,
                    name,
                    metrics[name],
                    relation,
                    threshold,
                )
                return True
        return False

    return should_stop


def _stays(
    estimator: Estimator,
    name: str,
    max_steps: int,
    is_better: _Better,
    change: str,
    eval_dir: str | None,
    min_steps: int,
) -> Callable[[], bool]:
    folder = estimator.eval_dir() if eval_dir is None else eval_dir

    def should_stop() -> bool:
        best: tuple[float, int] | None = None  # (value, step)
        for step, metrics in read_eval_metrics(folder).items():
            if step < min_steps:
                continue
            if best is None or is_better(metrics[name], best[0]):
                best = metrics[name], step
            if step - best[1] >= max_steps:
                tf_logging.info(
                    'No %s in metric "%s" for %s steps, which is greater than or equal to max steps (%s) configured for '
                    "early stopping.",
                    change,
                    name,
                    step - best[1],
                    max_steps,
                )
                return True
        return False

    return should_stop


def _stop_variable() -> Any:
    """Returns the variable that signals the stop to all processes."""
    with variable_scope.variable_scope("signal_early_stopping", values=[], reuse=variable_scope.AUTO_REUSE):
        return variable_scope.get_variable(
            "STOP",
            shape=[],
            dtype=dtypes.bool,
            initializer=initializers.constant_initializer(False),
            collections=[GraphKeys.GLOBAL_VARIABLES],
            trainable=False,
        )


class _StopOnPredicateHook(SessionRunHook):
    """Calls the predicate; if it holds, sets the stop variable and requests the stop."""

    def __init__(self, should_stop_fn: Any, run_every_secs: float | None, run_every_steps: int | None) -> None:
        if not callable(should_stop_fn):
            raise TypeError("`should_stop_fn` must be callable.")
        self._should_stop_fn = should_stop_fn
        self._timer = SecondOrStepTimer(every_secs=run_every_secs, every_steps=run_every_steps)

    def begin(self) -> None:
        """Creates the variable."""
        self._args = SessionRunArgs(get_global_step())
        self._stop_op = state_ops.assign(_stop_variable(), True)

    def before_run(self, run_context: Any) -> Any:
        """Fetches the global step."""
        return self._args

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Calls the predicate if the timer is due."""
        step = run_values.results
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            if self._should_stop_fn():
                tf_logging.info("Requesting early stopping at global step %d", step)
                run_context.session.run(self._stop_op)
                run_context.request_stop()


class _CheckForStoppingHook(SessionRunHook):
    """Requests the stop when the chief has set the stop variable."""

    def begin(self) -> None:
        """Gets or creates the variable."""
        self._args = SessionRunArgs(_stop_variable())

    def before_run(self, run_context: Any) -> Any:
        """Fetches the variable."""
        return self._args

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Checks the fetched value."""
        if run_values.results:
            tf_logging.info("Early stopping requested, suspending run.")
            run_context.request_stop()
