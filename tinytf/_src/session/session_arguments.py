"""Checks the arguments of session constructors."""

from __future__ import annotations

from typing import Any

from tinytf._src.protos import is_message
from tinytf._src.session import engines
from tinytf._src.session.engines import EngineFactory


def check_target_and_config(target: Any, config: Any) -> tuple[bytes, EngineFactory]:
    """Returns the target as bytes, and the factory of its engines. TypeError for a target or config of another type,
    NotFoundError if there is no factory."""
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
    return target, engines.factory_of(target.decode(), config)
