"""The listeners of a hook that saves checkpoints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tinytf._src.framework.logs import tf_logging


class SaverListeners:
    """Calls `CheckpointSaverListener`s in the order in which they were added."""

    def __init__(self, listeners: Iterable[Any]) -> None:
        self._listeners = list(listeners)

    def __len__(self) -> int:
        return len(self._listeners)

    def add(self, listener: Any) -> None:
        """Adds a listener. Idempotent."""
        if listener not in self._listeners:
            self._listeners.append(listener)

    def begin(self) -> None:
        """Announces a session."""
        for listener in self._listeners:
            listener.begin()

    def before_save(self, session: Any, step: Any) -> None:
        """Announces a save."""
        for listener in self._listeners:
            listener.before_save(session, step)

    def after_save(self, session: Any, step: Any) -> bool:
        """Reports a save; returns whether a listener requests a stop."""
        wants_stop = False
        for listener in self._listeners:
            if listener.after_save(session, step):
                text = "A CheckpointSaverListener requested that training be stopped. listener: %s"
                tf_logging.info(text, listener)
                wants_stop = True
        return wants_stop

    def end(self, session: Any, step: Any) -> None:
        """Reports the end of the session."""
        for listener in self._listeners:
            listener.end(session, step)
