"""Python state in object-based checkpoints, serialized to strings."""

from __future__ import annotations

import abc
import functools
from collections.abc import Callable, Sequence
from typing import Any

from tinytf._src.checkpoint.saveables import SaveableObject, SaveSpec
from tinytf._src.exports import tf_export
from tinytf._src.framework.resources.trackable import Trackable
from tinytf._src.framework.scopes.init_scope import init_scope
from tinytf._src.framework.scopes.name_scope import device
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.control_flow.dependencies import no_op


class NoRestoreSaveable(SaveableObject):
    """A tensor that is saved but not restored."""

    def __init__(self, tensor: Any, name: str, dtype: Any = None, device: str | None = None) -> None:
        super().__init__(tensor, [SaveSpec(tensor, "", name, dtype, device)], name)

    def restore(self, restored_tensors: Sequence[Any], restored_shapes: Sequence[Any] | None) -> Any:
        """Returns a no-op."""
        return no_op()


class PythonStateSaveable(SaveableObject):
    """A Python state; in a graph it is fed to the save operation."""

    def __init__(
        self, name: str, state_callback: Callable[[], Any], restore_callback: Callable[[Any], Any] | None = None
    ) -> None:
        self._state_callback = state_callback
        self._restore_callback = restore_callback
        with device("/cpu:0"):
            self._string = constant("", dtype=dtypes.string)
        super().__init__(self._string, [SaveSpec(self._string, "", name, dtypes.string)], name)

    @property
    def optional_restore(self) -> bool:
        """True if there is nothing to restore."""
        return self._restore_callback is None

    def state(self) -> Any:
        """Returns the current state."""
        with init_scope():
            return self._state_callback()

    def feed_dict_additions(self) -> dict[Any, Any]:
        """Returns the feeds that write the current state."""
        return {self._string: self.state()}

    def freeze(self) -> NoRestoreSaveable:
        """Returns a saveable object that serializes the state when its tensor is requested."""
        return NoRestoreSaveable(lambda: constant(self.state(), dtype=dtypes.string), self.name, dtypes.string, "cpu:0")

    def python_restore(self, restored_strings: Sequence[Any]) -> None:
        """Passes the restored string to the object."""
        if self._restore_callback is not None:
            self._restore_callback(restored_strings[0])

    def restore(self, restored_tensors: Sequence[Any], restored_shapes: Sequence[Any] | None) -> Any:
        """Returns a no-op."""
        return no_op()


@tf_export("train.experimental.PythonState")
class PythonState(Trackable, metaclass=abc.ABCMeta):
    """Base class of Python objects whose state is saved in checkpoints as a string."""

    @abc.abstractmethod
    def serialize(self) -> Any:
        """Returns the state as a string (str or bytes)."""

    @abc.abstractmethod
    def deserialize(self, string_value: Any) -> None:
        """Restores the state.

        Args:
          string_value: bytes, the result of `serialize`.
        """

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {
            "py_state": functools.partial(
                PythonStateSaveable, state_callback=self.serialize, restore_callback=self.deserialize
            )
        }
