"""`AutoTrackable`: an object whose attributes are its checkpoint dependencies."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.resources.trackable import Trackable
from tinytf._src.trackable.data_structures import NoDependency, sticky_attribute_assignment

_NONE = object()


class AutoTrackable(Trackable):
    """A trackable object that tracks its attributes.

    A trackable value assigned to an attribute becomes a dependency with the attribute's name. Lists and dicts are
    wrapped so that their elements are tracked, too. A value in a `NoDependency` is stored but not tracked.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if getattr(self, name, _NONE) is value:
            return
        if self._setattr_tracking:
            value = sticky_attribute_assignment(self, name, value)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        self._untrack(name)
        super().__delattr__(name)

    def _no_dependency(self, value: Any) -> Any:
        return NoDependency(value)
