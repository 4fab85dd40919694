"""Names of a graph's operations, and the scopes that prefix them."""

from __future__ import annotations

import re
import threading
from contextlib import AbstractContextManager
from typing import Any

VALID_OP_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\-/]*\Z")
_VALID_SCOPE_NAME = re.compile(r"[A-Za-z0-9_.\-/]*\Z")


class _OpenNames(threading.local):
    """The name scope that each thread has open in a graph, without a slash at its end."""

    current = ""


class GraphNames:
    """The part of a graph that gives names. Name scopes are a thread's own; which names are taken is the graph's."""

    _core: Any

    def __init__(self) -> None:
        super().__init__()
        self._names = _OpenNames()

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name` under the current name scope, with `_1`, `_2`, … if it is taken. Upper and lower case are one."""
        scope = self._names.current
        if scope:
            name = f"{scope}/{name}"
        return self._core.unique_name(name, mark_as_used)

    def get_name_scope(self) -> str:
        """The current name scope, without a slash at its end."""
        return self._names.current

    def name_scope(self, name: str | None) -> AbstractContextManager[str]:
        """A scope that prefixes the names of operations made in it; yields the scope with a slash at its end.

        None or '' leaves all scopes; a name that ends in `/` is entered as it is. ValueError for a bad name.
        """
        return _NameScope(self, self._enter_name(name))

    def _enter_name(self, name: str | None) -> str:
        """Checks and uniquifies a scope's name; without a slash at its end."""
        if not name:
            return ""
        if name[-1] == "/":
            if not _VALID_SCOPE_NAME.match(name):
                raise ValueError(f"'{name}' is not a valid scope name")
            return name[:-1]
        if not (_VALID_SCOPE_NAME if self._names.current else VALID_OP_NAME).match(name):
            raise ValueError(f"'{name}' is not a valid scope name")
        return self.unique_name(name)


class _NameScope:
    """An entered-once-at-a-time name scope of one graph."""

    __slots__ = ("_graph", "_name", "_saved")

    def __init__(self, graph: GraphNames, name: str) -> None:
        self._graph = graph
        self._name = name
        self._saved = ""

    def __enter__(self) -> str:
        names = self._graph._names
        self._saved = names.current
        names.current = self._name
        return self._name + "/" if self._name else ""

    def __exit__(self, *exc: Any) -> None:
        self._graph._names.current = self._saved
