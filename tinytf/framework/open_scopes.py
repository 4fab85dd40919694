"""The scopes that are open in a graph, but for those of names: one set for the graph, or one for each thread."""

from __future__ import annotations

import threading
from typing import Any


class OpenScopes:
    """What new operations of a graph get from the scopes around them.

    The lists are replaced or changed by those who open and close scopes; nobody else may.
    """

    def __init__(self) -> None:
        self.devices: list[Any] = []
        self.colocation: list[Any] = []
        self.colocation_sites: dict[str, Any] = {}
        self.control_dependencies: list[Any] = []
        self.attrs: dict[str, Any] = {}
        self.gradient_overrides: dict[str, str] = {}
        self.container = ""
        self.original_op: Any = None

    def begin_as(self, other: OpenScopes) -> None:
        """Has the scopes open that `other` has now."""
        self.devices = list(other.devices)
        self.colocation = list(other.colocation)
        self.colocation_sites = dict(other.colocation_sites)
        self.control_dependencies = list(other.control_dependencies)
        self.attrs = other.attrs
        self.gradient_overrides = other.gradient_overrides
        self.container = other.container
        self.original_op = other.original_op


class OpenScopesOfThreads(OpenScopes, threading.local):
    """The same for each thread, which begins with what `shared` had open."""

    def __init__(self, shared: OpenScopes) -> None:
        super().__init__()
        self.begin_as(shared)
