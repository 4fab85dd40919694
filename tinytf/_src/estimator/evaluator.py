"""Evaluates the checkpoints of a training, each at most once, and runs exporters afterwards."""

from __future__ import annotations

import os
import time
from typing import Any, NamedTuple

from tinytf._src.estimator.estimator import Estimator
from tinytf._src.estimator.model_dir import ModelDir
from tinytf._src.estimator.specs import EvalSpec
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.checkpoint_saver_listener import CheckpointSaverListener
from tinytf._src.platform.compat import as_str_any
from tinytf._src.training.second_or_step_timer import SecondOrStepTimer

_WARNING_SECS = 600  # minimal interval between warnings


class Evaluated(NamedTuple):
    """Result of an evaluation: metrics by name and the exporters' results. `problem` tells why there was none."""

    metrics: dict[Any, Any] | None
    exports: list[Any]
    problem: str | None = None


class Evaluator:
    """Evaluates and exports the latest checkpoint. For one thread."""

    def __init__(self, estimator: Estimator, spec: EvalSpec, max_steps: int | None) -> None:
        self._estimator = estimator
        self._spec = spec
        self._max_steps = max_steps
        self._previous: str | None = None  # the checkpoint evaluated last
        self._warned_at = 0.0

    def evaluate_and_export(self) -> Evaluated:
        """Evaluates the latest checkpoint; does nothing if there is no new one."""
        path = self._estimator.latest_checkpoint()
        if not path:
            self._warn("Estimator is not trained yet. Will start an evaluation when a checkpoint is ready.")
            return Evaluated(None, [], "missing checkpoint")
        if path == self._previous:
            self._warn(
                "No new checkpoint ready for evaluation. Skip the current evaluation pass as evaluation results are expected "
                "to be same for the same checkpoint."
            )
            return Evaluated(None, [], "no new checkpoint")
        spec = self._spec
        metrics = self._estimator.evaluate(
            spec.input_fn, steps=spec.steps, name=spec.name, checkpoint_path=path, hooks=spec.hooks
        )
        is_final = bool(self._max_steps and metrics[GraphKeys.GLOBAL_STEP] >= self._max_steps)
        exports = [
            exporter.export(
                estimator=self._estimator,
                export_path=os.path.join(as_str_any(self._estimator.model_dir), "export", exporter.name),
                checkpoint_path=path,
                eval_result=metrics,
                is_the_final_export=is_final,
            )
            for exporter in spec.exporters
        ]
        self._warned_at, self._previous = 0.0, path
        return Evaluated(metrics, exports)

    def _warn(self, text: str) -> None:
        now = time.time()
        if now - self._warned_at > _WARNING_SECS:
            tf_logging.warning(text)
            self._warned_at = now


class EvaluatingListener(CheckpointSaverListener):
    """Evaluates the checkpoints that a training writes, at intervals of at least `throttle_secs`, except the initial
    one."""

    def __init__(self, evaluator: Evaluator, model_dir: str, throttle_secs: float) -> None:
        self._evaluator = evaluator
        self._model_dir = model_dir
        self._throttle_secs = throttle_secs
        self.last: Evaluated | None = None  # result of the latest evaluation

    def begin(self) -> None:
        """Starts the timer and notes the initial global step."""
        self._timer = SecondOrStepTimer(every_secs=self._throttle_secs)
        self._start: Any = ModelDir(self._model_dir).global_step()

    def after_save(self, session: Any, global_step_value: Any) -> None:
        """Evaluates if the timer is due."""
        start, self._start = self._start, None
        if global_step_value == start:
            return
        if self._timer.should_trigger_for_step(global_step_value):
            self._evaluate(global_step_value)
        else:
            tf_logging.info("Skip the current checkpoint eval due to throttle secs (%s secs).", self._throttle_secs)

    def end(self, session: Any, global_step_value: Any) -> None:
        """Evaluates the last checkpoint."""
        if global_step_value != self._timer.last_triggered_step():
            self._evaluate(global_step_value)

    def _evaluate(self, step: Any) -> None:
        self._timer.update_last_triggered_step(step)
        self.last = self._evaluator.evaluate_and_export()
        if self.last.problem:
            raise RuntimeError(f"There was no new checkpoint after the training. Eval status: {self.last.problem}")
