"""Options of eager sessions that come from a `ConfigProto`."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos
from tinytf._src.framework.errors import errors_impl


def core_options(config: Any) -> dict[str, Any]:
    """Returns the core's keyword arguments for a ConfigProto, its bytes, or None. InvalidArgumentError if it is
    invalid."""
    if config is None:
        return {}
    from google.protobuf.message import DecodeError

    if isinstance(config, (bytes, bytearray)):
        parsed = protos.ConfigProto()
        try:
            parsed.ParseFromString(bytes(config))
        except DecodeError as e:
            raise errors_impl.InvalidArgumentError(
                None, None, f"Could not parse the config of a session: {e}"
            ) from None
        config = parsed
    elif hasattr(config, "SerializeToString"):  # a message, maybe of another protobuf library
        config = protos.adopt(config)
    if not isinstance(config, protos.ConfigProto):
        raise errors_impl.InvalidArgumentError(
            None, None, f"config must be a ConfigProto or its bytes, not {type(config).__name__}"
        )
    return {
        "intra_op_threads": config.intra_op_parallelism_threads,
        "cpu_devices": config.device_count.get("CPU", 1),
        "allow_soft_placement": config.allow_soft_placement,
        "log_device_placement": config.log_device_placement,
    }
