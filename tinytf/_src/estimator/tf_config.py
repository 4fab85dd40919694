"""Reads the environment variable TF_CONFIG: the cluster, and the task of this process."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

from tinytf._src.estimator.task_types import TaskType
from tinytf._src.framework.logs import tf_logging
from tinytf._src.training.cluster_spec import ClusterSpec

_NOTE = "Note that these values may be coming from the TF_CONFIG environment variable."


class Place(NamedTuple):
    """The role of a process in its cluster. The fields are the properties of `RunConfig` that TF_CONFIG sets, in their
    order."""

    service: Any
    cluster_spec: ClusterSpec
    task_type: str
    task_id: int
    global_id_in_cluster: int | None
    master: str
    evaluation_master: str
    is_chief: bool
    num_ps_replicas: int
    num_worker_replicas: int


def read_tf_config() -> dict[str, Any]:
    """Parses TF_CONFIG. ValueError for invalid JSON."""
    tf_config = json.loads(os.environ.get("TF_CONFIG", "{}"))
    if tf_config:
        tf_logging.info("TF_CONFIG environment variable: %s", tf_config)
    return tf_config


def model_dir_of(tf_config: dict[str, Any], model_dir: Any) -> Any:
    """Returns the given directory, or the one in TF_CONFIG. ValueError for an empty one, and if both are set and
    differ."""
    if model_dir == "":
        raise ValueError("model_dir should be non-empty.")
    other = tf_config.get("model_dir")
    if other == "":
        raise ValueError("model_dir in TF_CONFIG should be non-empty.")
    if other:
        if model_dir and other != model_dir:
            raise ValueError(
                "`model_dir` provided in RunConfig construct, if set, must have the same value as the model_dir in "
                f'TF_CONFIG. model_dir: {model_dir}\nTF_CONFIG["model_dir"]: {other}.\n'
            )
        tf_logging.info("Using model_dir in TF_CONFIG: %s", other)
    return model_dir or other


def place_of(tf_config: dict[str, Any]) -> Place:
    """Returns the role of this process. ValueError for inconsistent settings, TypeError for a service that is not a
    dict."""
    service = tf_config.get("service")
    if service is not None and not isinstance(service, dict):
        raise TypeError(f'If "service" is set in TF_CONFIG, it must be a dict. Given {type(service)}')
    cluster = ClusterSpec(tf_config.get("cluster", {}))
    task = tf_config.get("task", {})
    if not cluster:
        return _alone(service, cluster, task, tf_config)
    with_master = TaskType.MASTER in cluster.jobs
    if with_master and TaskType.CHIEF in cluster.jobs:
        raise ValueError("If `master` node exists in `cluster`, job `chief` is not supported.")
    chief = TaskType.MASTER if with_master else TaskType.CHIEF
    task_type, task_id = _task(cluster, task, chief)
    if task_type == TaskType.EVALUATOR:
        if with_master:
            raise ValueError("If `master` node exists in `cluster`, task_type `evaluator` is not supported.")
        evaluation_master = tf_config.get("eval_session_master", "")
        return Place(service, ClusterSpec({}), task_type, task_id, None, "", evaluation_master, False, 0, 0)
    return Place(
        service,
        cluster,
        task_type,
        task_id,
        global_id_in_cluster=_global_id(cluster, task_type, task_id, chief),
        master=_session_master(cluster, task_type, task_id, tf_config),
        evaluation_master="",
        is_chief=task_type == chief,
        num_ps_replicas=len(cluster.as_dict().get(TaskType.PS, ())),
        num_worker_replicas=sum(len(cluster.as_dict().get(job, ())) for job in (TaskType.WORKER, chief)),
    )


def _alone(service: Any, cluster: ClusterSpec, task: dict[str, Any], tf_config: dict[str, Any]) -> Place:
    task_type, task_id = task.get("type", TaskType.WORKER), int(task.get("index", 0))
    if task_type != TaskType.WORKER:
        raise ValueError('If "cluster" is not set in TF_CONFIG, task type must be WORKER.')
    if task_id != 0:
        raise ValueError('If "cluster" is not set in TF_CONFIG, task index must be 0.')
    master, evaluation_master = tf_config.get("session_master", ""), tf_config.get("eval_session_master", "")
    return Place(service, cluster, task_type, task_id, 0, master, evaluation_master, True, 0, 1)


def _task(cluster: ClusterSpec, task: dict[str, Any], chief: str) -> tuple[str, int]:
    """Returns type and index of this process's task."""
    if chief not in cluster.jobs:
        raise ValueError(f'If "cluster" is set in TF_CONFIG, it must have one "{chief}" node.')
    if len(cluster.job_tasks(chief)) > 1:
        raise ValueError(f'The "cluster" in TF_CONFIG must have only one "{chief}" node.')
    task_type, number = task.get("type"), task.get("index")
    if not task_type:
        raise ValueError('If "cluster" is set in TF_CONFIG, task type must be set.')
    if number is None:
        raise ValueError('If "cluster" is set in TF_CONFIG, task index must be set.')
    task_id = int(number)
    if task_id < 0:
        raise ValueError("Task index must be non-negative number.")
    if task_type == TaskType.EVALUATOR:
        return task_type, task_id
    if task_type not in cluster.jobs:
        raise ValueError(f"{task_type} is not a valid task_type in the cluster_spec:\n{cluster}\n\n{_NOTE}")
    if task_id >= len(cluster.job_tasks(task_type)):
        raise ValueError(
            f"{task_id} is not a valid task_id for task_type {task_type} in the cluster_spec:\n{cluster}\n\n{_NOTE}"
        )
    return task_type, task_id


def _session_master(cluster: ClusterSpec, task_type: str, task_id: int, tf_config: dict[str, Any]) -> str:
    if "session_master" in tf_config:
        return tf_config["session_master"]
    if len(cluster.jobs) == 1 and len(cluster.job_tasks(cluster.jobs[0])) == 1:
        return ""
    return f"grpc://{cluster.job_tasks(task_type)[task_id]}"


def _global_id(cluster: ClusterSpec, task_type: str, task_id: int, chief: str) -> int:
    """Returns the index of a task in the whole cluster: the chief's comes first, parameter servers' come last."""
    others = sorted(set(cluster.jobs) - {chief, TaskType.PS})
    ordered = [chief, *others, *(job for job in (TaskType.PS,) if job in cluster.jobs)]
    return sum(len(cluster.job_tasks(job)) for job in ordered[: ordered.index(task_type)]) + task_id
