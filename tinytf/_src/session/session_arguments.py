"""Checks the arguments of session constructors."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework import errors_impl
from tinytf._src.protos import is_message
from tinytf._src.session import local_servers
from tinytf._src.session.local_servers import LocalServer


def check_target_and_config(target: Any, config: Any) -> tuple[bytes, LocalServer | None]:
    """Returns the target as bytes, and its server or None for ''. TypeError for a target or config of another type,
    NotFoundError if no server of this process has the target."""
    if target is None:
        target = b""
    if not isinstance(target, (str, bytes)):
        hint = (
            '. Did you do "Session(config)" instead of "Session(config=config)"?'
            if is_message(target, "ConfigProto")
            else ""
        )
        raise TypeError(f"target must be a string, but got {type(target)}{hint}")
    if isinstance(target, str):
        target = target.encode()
    if config is not None and not is_message(config, "ConfigProto"):
        raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
    if not target:
        return target, None
    server = local_servers.find(target.decode())
    if server is None:
        raise errors_impl.NotFoundError(
            None,
            None,
            f'No session factory registered for the given session options: {{target: "{target.decode()}" config: '
            f"{config if config is not None else ''}}} Registered factories are {{DIRECT_SESSION}}. "
            "No server in this process has this target, and tinytf cannot connect to servers of other processes.",
        )
    return target, server
