"""Base class of sessions that wrap another session."""

from __future__ import annotations

from typing import Any


class SessionInterface:
    """A session that delegates its steps to a wrapped `tf.Session`."""

    def raw_session(self) -> Any:
        """Returns the wrapped session that runs the steps, or None if it is closed."""
        raise NotImplementedError
