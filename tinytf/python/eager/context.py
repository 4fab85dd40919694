"""TensorFlow's path to execution modes and eager devices."""

from tinytf._src.eager.devices import list_devices, num_gpus
from tinytf._src.eager.execution_mode import async_clear_error, async_wait, execution_mode, set_execution_mode
from tinytf._src.eager.mode import (
    ASYNC,
    DEVICE_PLACEMENT_EXPLICIT,
    DEVICE_PLACEMENT_SILENT,
    DEVICE_PLACEMENT_WARN,
    SYNC,
)
from tinytf._src.framework.context.execution import eager_mode, executing_eagerly, graph_mode
from tinytf.python.paths import other_names as _other_names

__all__ = [
    "ASYNC",
    "DEVICE_PLACEMENT_EXPLICIT",
    "DEVICE_PLACEMENT_SILENT",
    "DEVICE_PLACEMENT_WARN",
    "SYNC",
    "async_clear_error",
    "async_wait",
    "eager_mode",
    "executing_eagerly",
    "execution_mode",
    "graph_mode",
    "in_eager_mode",
    "list_devices",
    "num_gpus",
    "set_execution_mode",
]

in_eager_mode = executing_eagerly

__getattr__ = _other_names(globals())
