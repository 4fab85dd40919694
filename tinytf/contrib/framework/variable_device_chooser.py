"""Device functions for variables: parameter servers in round-robin order, or a fixed device."""

from __future__ import annotations

from typing import Any

import tinytf as tf

__all__ = ["VariableDeviceChooser"]


class VariableDeviceChooser:
    """A device function for `tf.contrib.framework.variable`: parameter servers in round-robin order, or one device
    without servers.

    Args:
      num_tasks: int, number of servers.
      job_name: string, job of the servers.
      device_type: string such as "CPU" or "GPU".
      device_index: int, index among the devices of the type; any if None.
      replica: int, replica in the device name, or None for none.
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
        """Returns the device name for the next variable."""
        spec = tf.DeviceSpec(replica=self._replica, device_type=self._device_type, device_index=self._device_index)
        if self._num_tasks > 0:
            spec.job, spec.task = self._job_name, self._next_task
            self._next_task = (self._next_task + 1) % self._num_tasks
        return spec.to_string()
