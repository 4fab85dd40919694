"""Eager execution: sessions that execute operations as they are called and own their values."""

from tinytf._src.eager.builder import EagerOperation, EagerOperationBuilder
from tinytf._src.eager.scope import EagerScope
from tinytf._src.eager.session import EagerSession
from tinytf._src.eager.strategies import DevicePlacementPolicy, ResourceCleanupStrategy
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.errors_impl import SessionClosedError

__all__ = [
    "DevicePlacementPolicy",
    "EagerOperation",
    "EagerOperationBuilder",
    "EagerScope",
    "EagerSession",
    "ResourceCleanupStrategy",
    "SessionClosedError",
]

tf_export("eager.*").constants(__name__, *__all__)
