"""Devices of variables: on parameter servers in turn, or on one device."""

from __future__ import annotations

from typing import Any

import tinytf as tf

__all__ = ["VariableDeviceChooser"]


class VariableDeviceChooser:
    """A function for the `device` of `tf.contrib.framework.variable`: the next parameter server, or one device if there are
    no servers.

    Args:
      num_tasks: how many servers there are.
      job_name: of the servers.
      device_type: "CPU" or "GPU" for example.
      device_index: the number among the devices of the type; None: any.
      replica: the replica's number, if devices shall say it.
    """

    def __init__(
        self,
        num_tasks: int = 0,
        job_name: str = "ps",
        device_type: str | None = "CPU",
        device_index: int | None = 0,
        replica: int | None = None,
    ) -> None:
        self._job_name = job_name
        self._device_type = device_type
        self._device_index = device_index
        self._replica = replica
        self._num_tasks = num_tasks
        self._next_task = 0

    def __call__(self, op: Any) -> str:
        """The name of a device for the next variable."""
        spec = tf.DeviceSpec(replica=self._replica, device_type=self._device_type, device_index=self._device_index)
        if self._num_tasks > 0:
            spec.job, spec.task = self._job_name, self._next_task
            self._next_task = (self._next_task + 1) % self._num_tasks
        return spec.to_string()
