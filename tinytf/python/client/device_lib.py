"""TensorFlow's path to the list of devices."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.session.session import Session

__all__ = ["list_local_devices"]

_TASK = "/job:localhost/replica:0/task:0"


def list_local_devices(session_config: Any = None) -> list[Any]:
    """The devices of a session.

    Args:
      session_config: a `ConfigProto`, of which `device_count` is used; None means the defaults.

    Returns:
      List of `DeviceAttributes` messages with `name` (such as "/device:CPU:0"), `device_type`, `memory_limit` in bytes,
      and `incarnation`.
    """
    counts = session_config.device_count if session_config is not None else {}
    session = Session(graph=Graph(), config=protos.ConfigProto(device_count=counts))
    try:
        devices = session.list_devices()
    finally:
        session.close()
    return [
        protos.DeviceAttributes(
            name=device.name.removeprefix(_TASK),
            device_type=device.device_type,
            memory_limit=device.memory_limit_bytes,
            incarnation=device.incarnation,
            locality=protos.DeviceLocality(),
        )
        for device in devices
    ]
