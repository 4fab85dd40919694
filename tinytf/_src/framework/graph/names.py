"""Names of a graph's operations, and name scopes."""

from __future__ import annotations

import re
import threading
from contextlib import AbstractContextManager
from typing import Any

VALID_OP_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\-/]*\Z")
_VALID_SCOPE_NAME = re.compile(r"[A-Za-z0-9_.\-/]*\Z")


class _OpenNames(threading.local):
    """The name scope that a thread has open in a graph, without a trailing slash."""

    current = ""


class GraphNames:
    """Assigns names to operations. Name scopes are thread-local; the core tracks which names are taken."""

    def __init__(self, core: Any) -> None:
        self._core = core
        self._open = _OpenNames()

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """See `Graph.unique_name`."""
        scope = self._open.current
        if scope:
            name = f"{scope}/{name}"
        return self._core.unique_name(name, mark_as_used)

    def take(self, name: str) -> None:
        """Reserves a name that is in use already."""
        if self._core.unique_name(name, False) == name:
            self._core.unique_name(name, True)

    def current_scope(self) -> str:
        """The current name scope, without a trailing slash."""
        return self._open.current

    def set_current_scope(self, scope: str) -> None:
        """Replaces the current name scope until the innermost open scope is left."""
        self._open.current = scope

    def name_scope(self, name: str | bytes | None) -> AbstractContextManager[str]:
        """See `Graph.name_scope`."""
        return _NameScope(self._open, self._enter_name(name.decode() if isinstance(name, bytes) else name))

    def _enter_name(self, name: str | None) -> str:
        """Validates a scope name and makes it unique; the result has no trailing slash."""
        if not name:
            return ""
        if name[-1] == "/":
            if not _VALID_SCOPE_NAME.match(name):
                raise ValueError(f"'{name}' is not a valid scope name")
            return name[:-1]
        if not (_VALID_SCOPE_NAME if self._open.current else VALID_OP_NAME).match(name):
            raise ValueError(f"'{name}' is not a valid scope name")
        return self.unique_name(name)


class _NameScope:
    """One name scope of a graph, which can be entered once at a time."""

    __slots__ = ("_open", "_name", "_saved")

    def __init__(self, open: _OpenNames, name: str) -> None:
        self._open = open
        self._name = name
        self._saved: str | None = None

    def __enter__(self) -> str:
        names = self._open
        self._saved = names.current
        names.current = self._name
        return self._name + "/" if self._name else ""

    def __exit__(self, *exc: Any) -> None:
        if self._saved is not None:
            self._open.current = self._saved
            self._saved = None

    __del__ = __exit__  # a scope entered by hand and then dropped is left, as in TensorFlow
