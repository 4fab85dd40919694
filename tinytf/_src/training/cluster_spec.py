"""`tf.train.ClusterSpec`: the jobs of a cluster, their tasks and the network addresses of the tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tinytf._src import protos
from tinytf._src.exports import tf_export

_Tasks = dict[int, Any]


@tf_export("train.ClusterSpec")
class ClusterSpec:
    """Maps the jobs of a cluster to the addresses of their tasks. Immutable.

    Args:
      cluster: dict from job name to a list of addresses, or to a dict from task index to address; or a `ClusterDef`, or
        another ClusterSpec.

    Raises:
      TypeError: if `cluster`, a name, an index or an address has another type.

    Example:
      cluster = tf.train.ClusterSpec({"ps": ["host1:2222"], "worker": ["host2:2222", "host3:2222"]})
    """

    def __init__(self, cluster: Any) -> None:
        if isinstance(cluster, Mapping):
            self._jobs = {name: _numbered(name, tasks) for name, tasks in cluster.items()}
        elif isinstance(cluster, ClusterSpec):
            self._jobs = {name: dict(tasks) for name, tasks in cluster._jobs.items()}
        elif getattr(getattr(cluster, "DESCRIPTOR", None), "full_name", None) == "tensorflow.ClusterDef":
            self._jobs = {job.name: dict(job.tasks) for job in cluster.job}
        else:
            raise TypeError(
                "`cluster` must be a dictionary mapping one or more job names to lists of network addresses, or a "
                "`ClusterDef` protocol buffer"
            )
        self._cluster_def = _message(self._jobs)

    def __bool__(self) -> bool:
        return bool(self._cluster_def.job)

    def __eq__(self, other: object) -> Any:
        return isinstance(other, ClusterSpec) and self._cluster_def == other._cluster_def

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        inner = ", ".join(f"{name!r}: {tasks!r}" for name, tasks in sorted(self.as_dict().items()))
        return f"ClusterSpec({{{inner}}})"

    def as_dict(self) -> dict[str, Any]:
        """Returns a dict from job name to the list of addresses, or to a dict if the task indices are not consecutive
        from 0.
        """
        found: dict[str, Any] = {}
        for name, tasks in self._jobs.items():
            dense = tasks and sorted(tasks) == list(range(len(tasks)))
            found[name] = [tasks[i] for i in range(len(tasks))] if dense else dict(tasks)
        return found

    def as_cluster_def(self) -> Any:
        """Returns the cluster as a `ClusterDef`."""
        return self._cluster_def

    @property
    def jobs(self) -> list[str]:
        """The names of the jobs."""
        return list(self._jobs)

    def _tasks(self, job_name: str) -> _Tasks:
        try:
            return self._jobs[job_name]
        except KeyError:
            raise ValueError(f"No such job in cluster: {job_name!r}") from None

    def num_tasks(self, job_name: str) -> int:
        """Returns the number of tasks of a job.

        Args:
          job_name: str.

        Raises:
          ValueError: if there is no such job.
        """
        return len(self._tasks(job_name))

    def task_indices(self, job_name: str) -> list[int]:
        """Returns the task indices of a job in ascending order.

        Args:
          job_name: str.

        Raises:
          ValueError: if there is no such job.
        """
        return sorted(self._tasks(job_name))

    def task_address(self, job_name: str, task_index: int) -> Any:
        """Returns the address of a task.

        Args:
          job_name: str.
          task_index: int.

        Raises:
          ValueError: if there is no such job or task.
        """
        tasks = self._tasks(job_name)
        if task_index not in tasks:
            raise ValueError(f"No task with index {task_index!r} in job {job_name!r}")
        return tasks[task_index]

    def job_tasks(self, job_name: str) -> list[Any]:
        """Returns the addresses of a job as a list by task index, None for missing tasks.

        Args:
          job_name: str.

        Raises:
          ValueError: if there is no such job.
        """
        tasks = self._tasks(job_name)
        return [tasks.get(i) for i in range(max(tasks, default=-1) + 1)]


def _numbered(name: Any, tasks: Any) -> _Tasks:
    if isinstance(tasks, (list, tuple)):
        return dict(enumerate(tasks))
    if isinstance(tasks, dict):
        return dict(tasks)
    text = f"The tasks for job {name!r} must be a list or a dictionary from integers to strings."
    raise TypeError(text)


def _message(jobs: dict[Any, _Tasks]) -> Any:
    """Converts the jobs to a ClusterDef. Raises TypeError if a name, an index or an address has another type."""
    cluster_def = protos.ClusterDef()
    for name, tasks in sorted(jobs.items()):
        if not isinstance(name, (str, bytes)):
            raise TypeError(f"Job name {name!r} must be bytes or unicode")
        job = cluster_def.job.add()
        job.name = name.decode("utf-8") if isinstance(name, bytes) else name
        for number, address in sorted(tasks.items()):
            if not isinstance(address, (str, bytes)):
                raise TypeError(f"Task address {address!r} must be bytes or unicode")
            if not isinstance(number, int):
                raise TypeError(f"{number!r} has type {type(number).__name__}, but expected one of: int")
            job.tasks[number] = address.decode("utf-8") if isinstance(address, bytes) else address
    return cluster_def
