"""The open scopes of a graph, other than name scopes: one set for the graph, or one per thread."""

from __future__ import annotations

import threading
from typing import Any


class OpenScopes:
    """The properties that new operations of a graph get from open scopes.

    Only code that opens and closes scopes may replace or modify the lists.
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
        """Copies the scopes that are open in `other`."""
        self.devices = list(other.devices)
        self.colocation = list(other.colocation)
        self.colocation_sites = dict(other.colocation_sites)
        self.control_dependencies = list(other.control_dependencies)
        self.attrs = other.attrs
        self.gradient_overrides = other.gradient_overrides
        self.container = other.container
        self.original_op = other.original_op


class OpenScopesOfThreads(OpenScopes, threading.local):
    """Thread-local open scopes; each thread starts with a copy of `shared`."""

    def __init__(self, shared: OpenScopes) -> None:
        super().__init__()
        self.begin_as(shared)
