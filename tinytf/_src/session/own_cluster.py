"""Handles a session's `ConfigProto.cluster_def`, which overrides the cluster that its server knows."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.errors import errors_impl


def task_of(target: str, cluster_def: Any) -> tuple[str, int]:
    """Returns job name and task number that the cluster gives to the server of a target.

    InvalidArgumentError if the cluster does not list it exactly once; UnimplementedError if it has other tasks, too.
    """
    address = target.partition("://")[2]
    tasks = [(job.name, task, where) for job in cluster_def.job for task, where in sorted(job.tasks.items())]
    own = [(job, task) for job, task, where in tasks if where == address]
    if not own:
        raise errors_impl.InvalidArgumentError(
            None, None, f"The master (current machine) is not included in the provided cluster_def. {cluster_def}"
        )
    if len(own) > 1:
        text = " ".join(str(cluster_def).split())
        raise errors_impl.InvalidArgumentError(
            None,
            None,
            "Found multiple matching tasks that correspond to to the master. "
            f"Master target: '{target}'. ClusterDef: {text}",
        )
    if len(tasks) > 1:
        raise errors_impl.UnimplementedError(
            None,
            None,
            f"cluster_def has {len(tasks)} tasks, but tinytf supports only clusters of one task: a step cannot be distributed "
            "over several processes",
        )
    return own[0]
