"""Trainings of an estimator's model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.estimator.arguments import check_positive, checked_hooks, checked_listeners
from tinytf._src.estimator.model_dir import ModelDir
from tinytf._src.estimator.model_graphs import ModelGraphs, building
from tinytf._src.estimator.run_config import RunConfig
from tinytf._src.estimator.task_types import TaskType
from tinytf._src.estimator.training import train_model
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.stop_at_step_hook import StopAtStepHook
from tinytf._src.platform.estimator_mode import ModeKeys
from tinytf._src.training.training_util import _get_or_create_global_step_read


class ModelTraining:
    """Trains the model in a new graph, in the device scope `device_fn`."""

    def __init__(
        self, graphs: ModelGraphs, model_dir: ModelDir, config: RunConfig, session_config: Any, device_fn: Any
    ) -> None:
        if config.task_type in (TaskType.EVALUATOR, TaskType.PS):
            raise ValueError(
                "Train has been called wrong configuration. Please use tf.estimator.train_and_evaluate which calls proper "
                f"API according to given configuration. Current configuration: {config}."
            )
        self._graphs = graphs
        self._dir = model_dir
        self._config = config
        self._session_config = session_config
        self._device_fn = device_fn

    def run(
        self, input_fn: Callable[..., Any], hooks: Any, steps: int | None, max_steps: int | None, listeners: Any
    ) -> None:
        """Trains for a number of steps, or up to a global step; does nothing if a checkpoint has it. Arguments as of
        `Estimator.train`."""
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        check_positive(steps, "steps")
        check_positive(max_steps, "max_steps")
        if max_steps is not None and max_steps <= self._dir.global_step():
            tf_logging.info("Skipping training since max_steps has already saved.")
            return
        all_hooks = checked_hooks(hooks)
        if steps is not None or max_steps is not None:
            all_hooks.append(StopAtStepHook(steps, max_steps))
        listeners = checked_listeners(listeners)
        with building(Graph()) as graph, graph.device(self._device_fn):
            self._graphs.begin()
            _get_or_create_global_step_read(graph)
            spec, input_hooks = self._graphs.with_labels(input_fn, ModeKeys.TRAIN)
            self._graphs.start_warm()
            loss = train_model(spec, self._config, self._session_config, [*input_hooks, *all_hooks], listeners)
        tf_logging.info("Loss for final step: %s.", loss)
