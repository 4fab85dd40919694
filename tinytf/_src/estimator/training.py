"""Trains a model that was built: assembles hooks, makes the session and runs the steps."""

from __future__ import annotations

from typing import Any

from tinytf._src.checkpoint.saver import Saver
from tinytf._src.estimator.estimator_spec import EstimatorSpec
from tinytf._src.estimator.run_config import RunConfig
from tinytf._src.estimator.task_types import TaskType
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.checkpoint_saver_hook import CheckpointSaverHook
from tinytf._src.monitored_session.checkpoint_saver_listener import CheckpointSaverListener
from tinytf._src.monitored_session.logging_tensor_hook import LoggingTensorHook
from tinytf._src.monitored_session.nan_tensor_hook import NanTensorHook
from tinytf._src.monitored_session.step_counter_hook import StepCounterHook
from tinytf._src.monitored_session.summary_saver_hook import SummarySaverHook
from tinytf._src.monitored_session.training_session import MonitoredTrainingSession
from tinytf._src.ops.logging import summary_ops
from tinytf._src.training.session_run_hook import SessionRunHook
from tinytf._src.training.training_util import get_global_step


def train_model(
    spec: EstimatorSpec,
    config: RunConfig,
    session_config: Any,
    hooks: list[SessionRunHook],
    listeners: list[CheckpointSaverListener],
) -> Any:
    """Trains the model of the default graph until a hook or the end of the input stops it. Returns the last loss, or
    None.

    ValueError for checkpoint listeners if no checkpoints are written.
    """
    graph = get_default_graph()
    if not any(summary.op.name == "loss" for summary in graph.get_collection(GraphKeys.SUMMARIES)):
        summary_ops.scalar("loss", spec.loss)
    graph.add_to_collection(GraphKeys.LOSSES, spec.loss)
    hooks = [*hooks, NanTensorHook(spec.loss)]
    if config.log_step_count_steps is not None:
        shown = {"loss": spec.loss, "step": get_global_step(graph)}
        hooks.append(LoggingTensorHook(shown, every_n_iter=config.log_step_count_steps))
    hooks += spec.training_hooks
    if not (spec.scaffold.saver or graph.get_collection(GraphKeys.SAVERS)):
        graph.add_to_collection(GraphKeys.SAVERS, _saver(config))
    chief_hooks = _saving_hooks(spec, config, [*hooks, *spec.training_chief_hooks], listeners)
    summary_steps, count_steps = config.save_summary_steps, config.log_step_count_steps
    # the first worker, less busy than the master, does these
    if {TaskType.WORKER, TaskType.MASTER} <= set(config.cluster_spec.jobs):
        summary_steps, count_steps = 0, None
        hooks += _worker_hooks(spec, config)
    loss, steps = None, 0
    with MonitoredTrainingSession(
        master=config.master,
        is_chief=config.is_chief,
        checkpoint_dir=config.model_dir,
        scaffold=spec.scaffold,
        hooks=hooks,
        chief_only_hooks=[*chief_hooks, *spec.training_chief_hooks],
        save_checkpoint_secs=0,
        save_summaries_steps=summary_steps,
        config=session_config,
        max_wait_secs=config.session_creation_timeout_secs,
        log_step_count_steps=count_steps,
        save_input_state=config.save_input_state,
    ) as session:
        fetches = [spec.train_op, spec.loss]
        while not session.should_stop():
            _, loss = session.run(fetches)
            steps += 1
    if not steps:
        tf_logging.warning("Training with estimator made no steps. Perhaps input is empty or misspecified.")
    return loss


def _saver(config: RunConfig) -> Saver:
    return Saver(
        sharded=True,
        max_to_keep=config.keep_checkpoint_max,
        keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours,
        defer_build=True,
        save_relative_paths=True,
    )


def _saving_hooks(
    spec: EstimatorSpec,
    config: RunConfig,
    hooks: list[SessionRunHook],
    listeners: list[CheckpointSaverListener],
) -> list[SessionRunHook]:
    """Returns the hook that saves checkpoints, unless the program has one; adds the listeners to the first such
    hook."""
    own: list[SessionRunHook] = []
    savers = [hook for hook in hooks if isinstance(hook, CheckpointSaverHook)]
    secs, steps = config.save_checkpoints_secs, config.save_checkpoints_steps
    if not savers and (secs or steps):
        savers = [CheckpointSaverHook(config.model_dir, save_secs=secs, save_steps=steps, scaffold=spec.scaffold)]
        own.extend(savers)
    if listeners and not savers:
        raise ValueError(
            "There should be a CheckpointSaverHook to use saving_listeners. Please set one of the "
            "RunConfig.save_checkpoints_steps or RunConfig.save_checkpoints_secs."
        )
    for listener in listeners:
        savers[0].add_listener(listener)
    return own


def _worker_hooks(spec: EstimatorSpec, config: RunConfig) -> list[SessionRunHook]:
    """Returns the summary and step counter hooks of the first worker, in a cluster with a master."""
    if config.task_type != TaskType.WORKER or config.task_id != 0:
        return []
    hooks: list[SessionRunHook] = []
    if config.save_summary_steps and config.save_summary_steps > 0:
        hooks.append(
            SummarySaverHook(save_steps=config.save_summary_steps, output_dir=config.model_dir, scaffold=spec.scaffold)
        )
    if config.log_step_count_steps and config.log_step_count_steps > 0:
        hooks.append(StepCounterHook(every_n_steps=config.log_step_count_steps, output_dir=config.model_dir))
    return hooks
