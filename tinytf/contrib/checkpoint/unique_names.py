"""Trackable objects under names that are made unique."""

from __future__ import annotations

from typing import Any

from tinytf.python.training.tracking.base import Trackable
from tinytf.python.training.tracking.data_structures import TrackableDataStructure


class UniqueNameTracker(TrackableDataStructure):
    """Tracks objects whose names may collide; colliding names get a numeric suffix."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[str, int] = {}

    @property
    def _values(self) -> list[Any]:
        return [reference.ref for reference in self._checkpoint_dependencies]

    def track(self, trackable: Any, base_name: str) -> Any:
        """Adds a dependency named `base_name`, with the next free number appended if that is taken; returns
        `trackable`.

        Raises:
          ValueError: if the object is not trackable.
        """
        if not isinstance(trackable, Trackable):
            raise ValueError(
                f"Expected a trackable value, got {trackable} which does not inherit from tf.track.Trackable."
            )
        count = self._counts.get(base_name, 0)
        while self._lookup_dependency(_numbered(base_name, count)) is not None:
            count += 1
        self._counts[base_name] = count + 1
        self._track_value(trackable, _numbered(base_name, count))
        return trackable


def _numbered(name: str, count: int) -> str:
    return f"{name}_{count}" if count else name
