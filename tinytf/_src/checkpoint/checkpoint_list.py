"""The list of checkpoints that a saver keeps."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from tinytf._src.checkpoint.checkpoint_state import get_checkpoint_mtimes, remove_checkpoint
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.logs import tf_logging


class CheckpointList:
    """Checkpoints with the times of their saves, oldest first. If there are more than `most`, the oldest leave the list
    and are deleted, except one in each period of `hours`, which stays on disk unlisted."""

    def __init__(self, most: int, hours: float) -> None:
        """`most` 0: nothing is listed or deleted."""
        self.kept: list[tuple[str, float]] = []
        self._most = most
        self._interval = hours * 3600
        self._next_to_stay = time.time() + self._interval
        self._leaving: list[tuple[str, float]] = []

    @property
    def names(self) -> list[str]:
        """Names of the listed checkpoints."""
        return [name for name, _ in self.kept]

    @property
    def leaving(self) -> list[str]:
        """Names of the checkpoints that are still to be deleted."""
        return [name for name, _ in self._leaving]

    def add(self, name: str) -> None:
        """Adds a newly saved checkpoint as the latest, also if it is listed already."""
        if not self._most:
            return
        self.kept = [(other, when) for other, when in self.kept if other != name]
        self.kept.append((name, time.time()))
        while len(self.kept) > self._most:
            self._leaving.append(self.kept.pop(0))

    def delete_leaving(self, format_version: int, meta_graph_suffix: str) -> None:
        """Deletes the files of checkpoints that left the list. Logs a warning for files that cannot be deleted."""
        leaving, self._leaving = self._leaving, []
        for name, when in leaving:
            if when > self._next_to_stay:
                self._next_to_stay += self._interval
            elif name not in self.names:
                try:
                    remove_checkpoint(name, format_version, meta_graph_suffix)
                except errors_impl.OpError as error:
                    tf_logging.warning("Ignoring: %s", str(error))
                    self._leaving.append((name, when))

    def recover(self, names: Iterable[str]) -> None:
        """Replaces the list by the given checkpoints that exist."""
        found: list[tuple[str, float]] = []
        for name in names:
            found += [(name, when) for when in get_checkpoint_mtimes([name])]
        self.kept = found

    def replace(self, kept: Sequence[tuple[str, float]]) -> None:
        """Replaces the list."""
        self.kept = list(kept)
