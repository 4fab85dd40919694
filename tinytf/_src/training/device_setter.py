"""`tf.train.replica_device_setter`: places variables on parameter servers and everything else on the worker."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.device import DeviceSpec
from tinytf._src.framework.logs import tf_logging
from tinytf._src.training.cluster_spec import ClusterSpec

STANDARD_PS_OPS = (
    "Variable",
    "VariableV2",
    "AutoReloadVariable",
    "MutableHashTable",
    "MutableHashTableV2",
    "MutableHashTableOfTensors",
    "MutableHashTableOfTensorsV2",
    "MutableDenseHashTable",
    "MutableDenseHashTableV2",
    "VarHandleOp",
    "BoostedTreesEnsembleResourceHandleOp",
    "BoostedTreesQuantileStreamResourceHandleOp",
    "ResourceConditionalAccumulator",
)


@tf_export("train.replica_device_setter")
@called_by_users
def replica_device_setter(
    ps_tasks: int = 0,
    ps_device: str = "/job:ps",
    worker_device: str = "/job:worker",
    merge_devices: bool = True,
    cluster: Any = None,
    ps_ops: Any = None,
    ps_strategy: Callable[[Any], int] | None = None,
) -> Callable[[Any], str] | None:
    """Returns a device function for `tf.device` that distributes variables over parameter servers.

    Args:
      ps_tasks: int, number of parameter servers; ignored if `cluster` is given.
      ps_device: str, device of the parameter servers.
      worker_device: str, device of all other operations.
      merge_devices: bool, whether the device is merged with that of the operation; otherwise an operation with a device
        keeps it unchanged.
      cluster: optional ClusterSpec or argument of ClusterSpec.
      ps_ops: optional list of the op types that are placed on parameter servers; defaults to variables and tables.
      ps_strategy: optional function from an operation to the index of a parameter server; defaults to round-robin.

    Returns:
      A device function; None if there are no parameter servers.

    Raises:
      TypeError: if `ps_strategy` is not callable.
    """
    if cluster is not None:
        tasks = ClusterSpec(cluster).as_dict().get(DeviceSpec.from_string(ps_device).job or "")
        ps_tasks = len(tasks or ())
    if ps_tasks == 0:
        return None
    if not merge_devices:
        tf_logging.warning("DEPRECATION: It is recommended to set merge_devices=true in replica_device_setter")
    if ps_strategy is None:
        turns = count()
        ps_strategy = lambda op: next(turns) % ps_tasks  # noqa: E731
    if not callable(ps_strategy):
        raise TypeError("ps_strategy must be callable")
    types = STANDARD_PS_OPS if ps_ops is None else tuple(ps_ops)

    def device_of(op: Any) -> str:
        if not merge_devices and op.device:
            return op.device
        current = DeviceSpec.from_string(op.device or "")
        node_def = getattr(op, "node_def", op)
        chosen = DeviceSpec.from_string(worker_device or "")
        if ps_device and node_def.op in types:
            chosen = DeviceSpec.from_string(ps_device)
            if chosen.job and current.job in (None, chosen.job):
                chosen = chosen.replace(task=ps_strategy(op))
        return chosen.make_merged_spec(current).to_string()

    return device_of
