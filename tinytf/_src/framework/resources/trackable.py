"""`Trackable`: an object in object-based checkpoints, with named dependencies on other objects.

Restoring assigns positions in a checkpoint (`saving.objects.position`) to objects; if a dependency is added later, its
position waits for it under its name.
"""

from __future__ import annotations

import functools
import itertools
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.scopes.init_scope import init_scope
from tinytf._src.framework.values import dtypes

VARIABLE_VALUE = "VARIABLE_VALUE"  # name of a variable's value among the attributes of an object
_Method = TypeVar("_Method", bound=Callable[..., Any])
_restores = itertools.count()


def next_restore_uid() -> int:
    """A number for a new restore, larger than all previous ones."""
    return next(_restores)


class TrackableReference(NamedTuple):
    """A dependency of an object, and its name there."""

    name: str
    ref: Any


class CheckpointInitialValue:
    """A variable's initial value from a checkpoint. Called as an initializer, it returns itself."""

    def __init__(self, position: Any, shape: Any = None) -> None:
        self.checkpoint_position = position
        self.wrapped_value: Any = position.value_tensor()
        if shape is not None:
            self.wrapped_value.set_shape(shape)

    def __call__(self, *args: Any, **kwargs: Any) -> CheckpointInitialValue:
        return self


class _Tracked:
    """The tracking state of an object."""

    __slots__ = ("deferred", "dependencies", "name_based", "names", "update_uid")

    def __init__(self) -> None:
        self.dependencies: list[TrackableReference] = []
        self.names: dict[str, Any] = {}
        self.deferred: dict[str, list[Any]] = {}  # name → positions that wait for a dependency of this name
        self.update_uid = -1  # the last restore that assigned values to the object
        self.name_based: list[Any] = []  # restores by global names, which also apply to later dependencies


def no_automatic_dependency_tracking(method: _Method) -> _Method:
    """Decorator for a method in which attribute assignments do not create dependencies."""

    @functools.wraps(method)
    def untracked(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = self._setattr_tracking
        self._setattr_tracking = False
        try:
            return method(self, *args, **kwargs)
        finally:
            self._setattr_tracking = before

    return untracked  # type: ignore[return-value]


class Trackable:
    """An object that can be part of object-based checkpoints: `_track_trackable` adds a dependency, and
    `_gather_saveables_for_checkpoint` returns the object's own values."""

    @property
    def _setattr_tracking(self) -> bool:
        return bool(self.__dict__.get("_self_setattr_tracking", True))

    @_setattr_tracking.setter
    def _setattr_tracking(self, value: bool) -> None:
        self.__dict__["_self_setattr_tracking"] = value

    @property
    def _tracked(self) -> _Tracked:
        found: _Tracked | None = self.__dict__.get("_self_tracked")
        if found is None:
            found = self.__dict__["_self_tracked"] = _Tracked()
        return found

    def _maybe_initialize_trackable(self) -> None:
        """No-op, for programs that call it."""

    @property
    def _update_uid(self) -> int:
        return self._tracked.update_uid

    @_update_uid.setter
    def _update_uid(self, value: int) -> None:
        self._tracked.update_uid = value

    @property
    def _unconditional_checkpoint_dependencies(self) -> list[TrackableReference]:
        return self._tracked.dependencies

    @property
    def _unconditional_dependency_names(self) -> dict[str, Any]:
        return self._tracked.names

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        """The dependencies that a checkpoint of this object includes."""
        return self._tracked.dependencies

    @property
    def _deferred_dependencies(self) -> dict[str, list[Any]]:
        return self._tracked.deferred

    def _lookup_dependency(self, name: str) -> Any:
        """The dependency with this name, or None."""
        return self._tracked.names.get(name)

    def _no_dependency(self, value: Any) -> Any:
        return value

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        """The values that this object saves itself: attribute → variable, or function from `name` to a saveable object.
        If `name` has a default, name-based savers use the function, too."""
        return {}

    # -- Dependencies ------------------------------------------------------------------------------------------------

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        """Adds a dependency and restores positions that wait for its name. Returns the object.

        Raises TypeError if it is not trackable, ValueError if another object has the name, unless `overwrite`.
        """
        if not isinstance(trackable, Trackable):
            raise TypeError(f"Trackable._track_trackable() passed type {type(trackable)}, not a Trackable.")
        tracked = self._tracked
        current = self._lookup_dependency(name)
        if current is None:
            tracked.dependencies.append(TrackableReference(name, trackable))
            self._handle_deferred_dependencies(name, trackable)
        elif current is not trackable:
            if not overwrite:
                raise ValueError(
                    f"Called Trackable._track_trackable() with name='{name}', but a Trackable with this name is already "
                    "declared as a dependency. Names must be unique (or overwrite=True)."
                )
            for i, reference in enumerate(tracked.dependencies):
                if reference.name == name:
                    tracked.dependencies[i] = TrackableReference(name, trackable)
        tracked.names[name] = trackable
        return trackable

    def _untrack(self, name: str) -> None:
        """Removes the dependency with this name, if there is one."""
        tracked = self._tracked
        if tracked.names.pop(name, None) is not None:
            tracked.dependencies[:] = [reference for reference in tracked.dependencies if reference.name != name]

    def _handle_deferred_dependencies(self, name: str, trackable: Any) -> None:
        """Restores an object from positions that wait for its name, newest restore first."""
        tracked = self._tracked
        for position in sorted(tracked.deferred.pop(name, ()), key=lambda position: -position.restore_uid):
            position.restore(trackable)
        for restore in sorted(tracked.name_based, key=lambda restore: -restore.restore_uid):
            trackable._name_based_attribute_restore(restore)

    def _add_variable_with_custom_getter(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        initializer: Any = None,
        getter: Any = None,
        overwrite: bool = False,
        **kwargs_for_getter: Any,
    ) -> Any:
        """Creates a variable with `getter` and adds it as a dependency. In eager mode, its initial value is the
        checkpoint value that waits for its name, if any."""
        waiting = None
        if self._deferred_dependencies.get(name):
            with init_scope():
                waiting = self._preload_simple_restoration(name, shape) if executing_eagerly() else None
        if waiting is not None and not _is_newer(initializer, waiting):
            initializer, shape = waiting, None
        variable = getter(name=name, shape=shape, dtype=dtype, initializer=initializer, **kwargs_for_getter)
        if overwrite and not isinstance(variable, Trackable):
            return variable  # a partitioned variable is not a trackable object
        return self._track_trackable(variable, name, overwrite)

    def _preload_simple_restoration(self, name: str, shape: Any = None) -> CheckpointInitialValue | None:
        """The checkpoint value that waits for a variable of this name; None if there is none, or if the position has
        more than a value."""
        waiting = self._deferred_dependencies.get(name, ())
        if not waiting or not all(position.is_simple_variable() for position in waiting):
            return None
        return CheckpointInitialValue(max(waiting, key=lambda position: position.restore_uid), shape)

    # -- Restoring ---------------------------------------------------------------------------------------------------

    def _name_based_attribute_restore(self, checkpoint: Any) -> None:
        """Restores this object from a checkpoint by global names."""
        tracked = self._tracked
        if checkpoint not in tracked.name_based:
            tracked.name_based.append(checkpoint)
        if tracked.update_uid < checkpoint.restore_uid:
            checkpoint.eager_restore(self)
            tracked.update_uid = checkpoint.restore_uid

    def _restore_from_checkpoint_position(self, checkpoint_position: Any) -> list[Any]:
        """Restores this object and its dependencies, breadth first; returns the restore operations in graph mode."""
        pending = deque([checkpoint_position])
        operations: list[Any] = []
        tensors: dict[str, Any] = {}
        states: list[Any] = []
        while pending:
            position = pending.popleft()
            found = position.trackable._single_restoration_from_checkpoint_position(position, pending)
            operations += found[0]
            tensors.update(found[1])
            states += found[2]
        return operations + checkpoint_position.checkpoint.restore_saveables(tensors, states)

    def _single_restoration_from_checkpoint_position(
        self, checkpoint_position: Any, visit_queue: Any
    ) -> tuple[list[Any], dict[str, Any], list[Any]]:
        """Restores this object only: returns restore operations, saveable objects by name, and saveables of Python
        state. Positions of its dependencies are added to the queue, or wait until the dependency is added."""
        checkpoint = checkpoint_position.checkpoint
        found: tuple[list[Any], dict[str, Any], list[Any]] = ([], {}, [])
        if checkpoint.restore_uid > self._update_uid:
            found = checkpoint_position.gather_ops_or_named_saveables()
            self._update_uid = checkpoint.restore_uid
        for child in checkpoint_position.object_proto.children:
            position = checkpoint.position(child.node_id)
            dependency = self._lookup_dependency(child.local_name)
            if dependency is None:
                self._deferred_dependencies.setdefault(child.local_name, []).append(position)
            elif position.bind_object(dependency):
                visit_queue.append(position)
        return found


def _is_newer(initializer: Any, waiting: CheckpointInitialValue) -> bool:
    if not isinstance(initializer, CheckpointInitialValue):
        return False
    return bool(initializer.checkpoint_position.restore_uid > waiting.checkpoint_position.restore_uid)
