"""`tf.estimator.train_and_evaluate`: training with evaluation and export of its checkpoints."""

from __future__ import annotations

import time
from typing import Any

from tinytf._src.estimator.estimator import Estimator
from tinytf._src.estimator.evaluator import EvaluatingListener, Evaluator
from tinytf._src.estimator.run_config import RunConfig
from tinytf._src.estimator.specs import EvalSpec, TrainSpec
from tinytf._src.estimator.task_types import TaskType
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging


@tf_export("estimator.train_and_evaluate")
@called_by_users
def train_and_evaluate(estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec) -> Any:
    """Trains an estimator, and evaluates its checkpoints, including the last one.

    If TF_CONFIG describes a cluster, the process does its own part: an evaluator only evaluates, until the checkpoint
    of `max_steps`; the only process of a cluster trains.

    Args:
      estimator: an `Estimator`.
      train_spec: a `TrainSpec`.
      eval_spec: an `EvalSpec`.

    Returns:
      A pair: a dict with the metrics of the last evaluation by name, and a list of the exporters' results after it;
      both are None if there was no evaluation. In a cluster, None.

    Raises:
      TypeError: for arguments of other types.
      ValueError: for invalid tasks in TF_CONFIG.
      NotImplementedError: for clusters of several processes.
    """
    if not isinstance(eval_spec, EvalSpec):
        raise TypeError(f"`eval_spec` must have type `tf.estimator.EvalSpec`. Got: {type(eval_spec)}")
    if not isinstance(estimator, Estimator):
        raise TypeError(f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}")
    if not isinstance(train_spec, TrainSpec):
        raise TypeError(f"`train_spec` must have type `tf.estimator.TrainSpec`. Got: {type(train_spec)}")
    config = estimator.config
    tf_logging.info("Not using Distribute Coordinator.")
    if config.task_type == TaskType.EVALUATOR:
        if config.task_id > 0:
            raise ValueError(
                "For distributed training, there can only be one `evaluator` task (with task id 0).  Given task id "
                f"{config.task_id}"
            )
        _evaluate_on(estimator, train_spec, eval_spec)
        return None
    if not config.cluster_spec:
        tf_logging.info("Running training and evaluation locally (non-distributed).")
        return _run_local(estimator, train_spec, eval_spec)
    if config.task_type == TaskType.MASTER:
        _check_no_server(config)
        _train(estimator, train_spec, [_listener(estimator, train_spec, eval_spec)])
    elif config.task_type in (TaskType.CHIEF, TaskType.WORKER, TaskType.PS):
        _check_no_server(config)
        _train(estimator, train_spec, None)
    elif config.task_type == "local":
        raise ValueError(
            "`task.type` in TF_CONFIG cannot be `local`. Leaving `cluster` and `task` properties in TF_CONFIG absent triggers "
            "train and evaluate `Estimator` locally (non-distributed)."
        )
    else:
        raise ValueError(
            f"Task type {config.task_type} is not supported. Supported task types are "
            f"{sorted(name for key, name in vars(TaskType).items() if key.isupper())}"
        )
    return None


def _listener(estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec) -> EvaluatingListener:
    evaluator = Evaluator(estimator, eval_spec, train_spec.max_steps)
    return EvaluatingListener(evaluator, estimator.model_dir, eval_spec.throttle_secs)


def _train(estimator: Estimator, spec: TrainSpec, listeners: Any) -> None:
    estimator.train(spec.input_fn, max_steps=spec.max_steps, hooks=spec.hooks, saving_listeners=listeners)


def _run_local(estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec) -> Any:
    config = estimator.config
    tf_logging.info(
        "Start train and evaluate loop. The evaluate will happen after every checkpoint. Checkpoint frequency is determined "
        "based on RunConfig arguments: save_checkpoints_steps %s or save_checkpoints_secs %s.",
        config.save_checkpoints_steps,
        config.save_checkpoints_secs,
    )
    listener = _listener(estimator, train_spec, eval_spec)
    _train(estimator, train_spec, [listener])
    return (None, None) if listener.last is None else (listener.last.metrics, listener.last.exports)


def _check_no_server(config: RunConfig) -> None:
    """Raises NotImplementedError for a cluster of several processes, which would need servers."""
    jobs = config.cluster_spec.jobs
    if len(jobs) > 1 or len(config.cluster_spec.job_tasks(jobs[0])) > 1:
        raise NotImplementedError(
            f"TF_CONFIG describes a cluster, {config.cluster_spec}, but in tinytf an estimator trains in one process."
        )
    if config.master:
        raise NotImplementedError(
            f"TF_CONFIG names a session_master, {config.master!r}, but in tinytf an estimator trains in one process."
        )
    tf_logging.info("Skip starting Tensorflow server as there is only one node in the cluster.")


def _evaluate_on(estimator: Estimator, train_spec: TrainSpec, spec: EvalSpec) -> None:
    """Evaluates new checkpoints until the one of `max_steps`, or forever if there is no such limit."""
    if spec.start_delay_secs:
        tf_logging.info("Waiting %f secs before starting eval.", spec.start_delay_secs)
        time.sleep(spec.start_delay_secs)
    evaluator = Evaluator(estimator, spec, train_spec.max_steps)
    while True:
        began = time.time()
        metrics = evaluator.evaluate_and_export().metrics
        left = spec.throttle_secs - (time.time() - began)
        if left > 0:
            tf_logging.info("Waiting %f secs before starting next eval run.", left)
            time.sleep(left)
        elif spec.throttle_secs == 0 and metrics is None:
            tf_logging.warning(
                "EvalSpec.throttle_secs is set as 0. This might overload the job before finding (next) new checkpoint. Please "
                "consider to increase it."
            )
        step = metrics[GraphKeys.GLOBAL_STEP] if metrics else None
        if step and train_spec.max_steps and step >= train_spec.max_steps:
            tf_logging.info("Exiting evaluation, global_step=%s >= train max_steps=%s", step, train_spec.max_steps)
            return
