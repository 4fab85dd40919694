"""Types of the tasks of a cluster."""

from __future__ import annotations


class TaskType:
    """Names of jobs in TF_CONFIG."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"
