"""`tf.enable_eager_execution`: the default execution mode of threads."""

from __future__ import annotations

import threading
from typing import Any

from tinytf import _core
from tinytf._src.eager.session import EagerSession
from tinytf._src.eager.strategies import DevicePlacementPolicy
from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.default_graph import has_global_graph

SYNC = 0
ASYNC = 1
DEVICE_PLACEMENT_EXPLICIT = DevicePlacementPolicy.EXPLICIT
DEVICE_PLACEMENT_WARN = DevicePlacementPolicy.WARN
DEVICE_PLACEMENT_SILENT = DevicePlacementPolicy.SILENT
DEVICE_PLACEMENT_SILENT_FOR_INT32 = DevicePlacementPolicy.SILENT_FOR_INT32

_lock = threading.Lock()
_enabled = False
_config: Any = None  # config of the default session


@tf_export("enable_eager_execution")
def enable_eager_execution(
    config: Any = None, device_policy: int | None = None, execution_mode: int | None = None
) -> None:
    """Makes operations run as they are called from now on, instead of adding nodes to a graph.

    Call it when the program starts. Inside `with tf.Graph().as_default()` graphs are built as before. Calling it again
    does nothing.

    Args:
      config: a `ConfigProto` for the process's default EagerSession, or None.
      device_policy: a `tf.contrib.eager.DEVICE_PLACEMENT_…` constant, for inputs on another device; None: SILENT.
      execution_mode: `tf.contrib.eager.SYNC` (None), or ASYNC: operations run on a thread of their own while the
        program goes on.

    Raises:
      TypeError: if `config` is not a `ConfigProto`.
      ValueError: for other constants, if the default graph was used already, or if the default EagerSession exists with
        other options.

    Example:
      tf.enable_eager_execution()
      tf.constant(1.0) + 2.0  # an eager tensor with the value 3.0
    """
    if _enabled:
        return
    if config is not None:
        if getattr(getattr(config, "DESCRIPTOR", None), "full_name", "") != "tensorflow.ConfigProto":
            raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
    if device_policy not in (None, *DevicePlacementPolicy):
        raise ValueError(
            "device_policy must be one of None, tf.contrib.eager.DEVICE_PLACEMENT_EXPLICIT, "
            "tf.contrib.eager.DEVICE_PLACEMENT_WARN, tf.contrib.eager.DEVICE_PLACEMENT_SILENT"
        )
    if execution_mode not in (None, SYNC, ASYNC):
        raise ValueError("execution_mode must be one of None, tf.contrib.eager.SYNC, tf.contrib.eager.ASYNC")
    if has_global_graph():
        raise ValueError("tf.enable_eager_execution must be called at program startup.")
    with _lock:
        _start(config, device_policy, execution_mode)


def _start(config: Any, device_policy: int | None, execution_mode: int | None) -> None:
    global _enabled, _config
    session = EagerSession.default_if_made()
    if session is None:
        if (config, device_policy, execution_mode) != (None, None, None):
            options = EagerSession.options().config(config).async_(execution_mode == ASYNC)
            options.device_placement_policy(DEVICE_PLACEMENT_SILENT if device_policy is None else device_policy)
            EagerSession.init_default(options)
            _config = config
    else:
        policy, mode = session.device_placement_policy, ASYNC if session.is_async else SYNC
        if config not in (None, _config) or device_policy not in (None, policy) or execution_mode not in (None, mode):
            raise ValueError(
                f"Trying to change the options of an active eager execution. Context config: {_config}, specified config: "
                f"{config}. Context device policy: {policy}, specified device policy: {device_policy}. Context execution "
                f"mode: {mode},  specified execution mode {execution_mode}."
            )
    _core.set_eager_by_default(True)
    _enabled = True


@tf_export("disable_eager_execution")
def disable_eager_execution() -> None:
    """Makes operations add nodes to graphs again, as if `enable_eager_execution` had not been called."""
    global _enabled
    with _lock:
        _core.set_eager_by_default(False)
        _enabled = False
