"""NumPy arrays in object-based checkpoints."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from tinytf.python.training.tracking.base import Trackable, TrackableReference
from tinytf.python.training.tracking.python_state import PythonState


class NumpyState(Trackable):
    """A trackable object whose attributes are NumPy arrays; restoring a checkpoint also creates missing attributes.

    Raises:
      NotImplementedError: if another value is assigned to an attribute.
    """

    def _lookup_dependency(self, name: str) -> Any:
        """Returns the array of that name, creating an empty one if it is missing."""
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
    """An array, saved in the format of `numpy.save`."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def serialize(self) -> bytes:
        """Returns the content of the .npy file."""
        file = io.BytesIO()
        np.save(file, self.array, allow_pickle=False)
        return file.getvalue()

    def deserialize(self, string_value: bytes) -> None:
        """Loads the array from the content of a .npy file."""
        self.array = np.load(io.BytesIO(string_value), allow_pickle=False)
