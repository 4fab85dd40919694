"""Whether eager sessions that are made from now on tell where their operations run."""

from __future__ import annotations

from tinytf.exports import tf_export

_wanted: bool | None = None  # None: as each session's config says
_settled: bool | None = None  # by the default eager session; None before it is made


def wanted() -> bool | None:
    """What the program wants of all eager sessions; None if it leaves that to their configs."""
    return _wanted


def settle(logs: bool) -> None:
    """The default eager session is made, and tells where its operations run, or not: that stays."""
    global _settled
    _settled = logs


@tf_export("debugging.get_log_device_placement")
def get_log_device_placement() -> bool:
    """Whether eager operations tell on which device they run."""
    return bool(_settled if _wanted is None else _wanted)


@tf_export("debugging.set_log_device_placement")
def set_log_device_placement(enabled: bool) -> None:
    """Makes eager operations tell on which device they run, or not, whatever configs say. Graph sessions have their
    ConfigProto's `log_device_placement`. RuntimeError for a change after the default eager session was made."""
    global _wanted
    if _wanted == enabled:
        return
    if _settled is not None:
        raise RuntimeError("Device placement logging must be set at program startup")
    _wanted = bool(enabled)
