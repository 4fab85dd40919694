"""The devices that operations run on where they are executed."""

from __future__ import annotations

from tinytf.eager.session import EagerSession


def num_gpus() -> int:
    """0: there is no other kind of device than the CPU."""
    return 0


def list_devices() -> list[str]:
    """Full names of the devices that operations can run on."""
    count = EagerSession.get_default()._core.cpu_devices
    return [f"/job:localhost/replica:0/task:0/device:CPU:{i}" for i in range(count)]
