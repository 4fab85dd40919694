"""Settings of eager sessions for logging device placements."""

from __future__ import annotations

from tinytf._src.exports import tf_export

_wanted: bool | None = None  # None: according to each session's config
_settled: bool | None = None  # setting of the default eager session; None before it is created


def wanted() -> bool | None:
    """The program's setting for all eager sessions; None if each session's config decides."""
    return _wanted


def settle(logs: bool) -> None:
    """Records the setting of the default eager session, which cannot change after its creation."""
    global _settled
    _settled = logs


@tf_export("debugging.get_log_device_placement")
def get_log_device_placement() -> bool:
    """Whether the devices of eager operations are logged."""
    return bool(_settled if _wanted is None else _wanted)


@tf_export("debugging.set_log_device_placement")
def set_log_device_placement(enabled: bool) -> None:
    """Sets whether the devices of eager operations are logged, overriding session configs.

    Graph sessions use `log_device_placement` of their ConfigProto instead.

    Args:
      enabled: bool.

    Raises:
      RuntimeError: if the setting changes after the default eager session was created.
    """
    global _wanted
    if _wanted == enabled:
        return
    if _settled is not None:
        raise RuntimeError("Device placement logging must be set at program startup")
    _wanted = bool(enabled)
