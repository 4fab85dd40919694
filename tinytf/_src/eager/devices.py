"""Devices for eager execution."""

from __future__ import annotations

from tinytf._src.eager.session import EagerSession


def num_gpus() -> int:
    """Returns 0: the CPU is the only kind of device."""
    return 0


def list_devices() -> list[str]:
    """Returns the full names of the devices that eager operations can run on."""
    count = EagerSession.get_default()._core.cpu_devices
    return [f"/job:localhost/replica:0/task:0/device:CPU:{i}" for i in range(count)]
