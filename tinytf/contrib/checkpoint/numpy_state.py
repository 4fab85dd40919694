"""Arrays of NumPy in checkpoints of objects."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from tinytf.python.training.tracking.base import Trackable, TrackableReference
from tinytf.python.training.tracking.python_state import PythonState


class NumpyState(Trackable):
    """An object whose attributes are arrays, which are saved with it; a restore makes attributes that there were not.

    NotImplementedError for other values.
    """

    def _lookup_dependency(self, name: str) -> Any:
        """The array of that name, which is new and empty if there is none."""
        found = super()._lookup_dependency(name)
        if found is None:
            found = _Array(np.array([]))
            self._unconditional_checkpoint_dependencies.append(TrackableReference(name, found))
            self._unconditional_dependency_names[name] = found
        return found

    def __getattr__(self, name: str) -> Any:
        found = None if name.startswith("_") else self._unconditional_dependency_names.get(name)
        if found is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return found.array

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, (np.ndarray, np.generic)):
            self._lookup_dependency(name).array = value
            return
        if not name.startswith("_") and self._setattr_tracking:
            raise NotImplementedError(
                f"Assigned {value} to the {name} property of {self}, which is not a NumPy array. Currently mixing NumPy arrays "
                "and other trackable objects is not supported. File a feature request if this limitation bothers you."
            )
        super().__setattr__(name, value)


class _Array(PythonState):
    """One array, saved as `numpy.save` does."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def serialize(self) -> bytes:
        """The file of the array."""
        file = io.BytesIO()
        np.save(file, self.array, allow_pickle=False)
        return file.getvalue()

    def deserialize(self, string_value: bytes) -> None:
        """Takes an array from its file."""
        self.array = np.load(io.BytesIO(string_value), allow_pickle=False)
