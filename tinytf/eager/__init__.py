"""Eager execution: sessions that execute operations as they are called and own their values."""

from tinytf.eager.builder import EagerOperation, EagerOperationBuilder
from tinytf.eager.scope import EagerScope
from tinytf.eager.session import EagerSession
from tinytf.eager.strategies import DevicePlacementPolicy, ResourceCleanupStrategy
from tinytf.framework.errors_impl import SessionClosedError

__all__ = [
    "DevicePlacementPolicy",
    "EagerOperation",
    "EagerOperationBuilder",
    "EagerScope",
    "EagerSession",
    "ResourceCleanupStrategy",
    "SessionClosedError",
]
