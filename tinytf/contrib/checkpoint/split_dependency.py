"""Saves one state as several checkpoint values."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import tinytf as tf
from tinytf.python.training.saving.saveable_object import SaveableObject, SaveSpec
from tinytf.python.training.tracking.base import VARIABLE_VALUE_KEY, Trackable


class _Buffers:
    """The parts of the state that remain to be saved, and the parts restored so far."""

    def __init__(
        self, count: int, fill: Callable[[dict[str, Any]], Any], consume: Callable[[dict[str, Any]], Any]
    ) -> None:
        self._count = count
        self._fill = fill
        self._consume = consume
        self._to_save: dict[str, Any] = {}
        self._restored: dict[str, Any] = {}

    def saved(self, name: str) -> Any:
        """Returns a part; the first call creates all parts. All must be saved together."""
        if name not in self._to_save:
            if self._to_save:
                raise AssertionError(
                    f"Split dependency {name} unsynchronized. Split dependencies must be saved together."
                )
            self._fill(self._to_save)
        return self._to_save.pop(name)

    def restored(self, name: str, tensor: Any) -> Any:
        """Accepts a part; the last one restores the state. All must be restored together."""
        if name in self._restored:
            raise AssertionError(
                f"Split dependency {name} unsynchronized. Split dependencies must be restored together."
            )
        self._restored[name] = tensor
        if len(self._restored) < self._count:
            return tf.no_op()
        op = self._consume(self._restored)
        self._restored.clear()
        return op


class _PartSaveable(SaveableObject):
    def __init__(
        self, name: str, dtype: Any, device: str, save: Callable[[], Any], restore: Callable[[Any], Any]
    ) -> None:
        self._restore = restore
        super().__init__(save, [SaveSpec(save, "", name, dtype=dtype, device=device)], name)

    def restore(self, restored_tensors: Sequence[Any], restored_shapes: Sequence[Any] | None) -> Any:
        return self._restore(restored_tensors[0])


class _Part(Trackable):
    def __init__(self, name: str, dtype: Any, device: str, buffers: _Buffers) -> None:
        self._saveable = functools.partial(
            _PartSaveable,
            dtype=dtype,
            device=device,
            save=functools.partial(buffers.saved, name),
            restore=functools.partial(buffers.restored, name),
        )

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {VARIABLE_VALUE_KEY: self._saveable}


def split_dependency(
    component_names: Sequence[str],
    component_dtypes: Sequence[Any],
    fill_save_buffer_fn: Callable[[dict[str, Any]], Any],
    consume_restore_buffer_fn: Callable[[dict[str, Any]], Any],
    device: str,
) -> dict[str, Any]:
    """Returns trackable objects that together represent one state, each with a value of its own in checkpoints.

    Args:
      component_names: list of strings, names of the parts.
      component_dtypes: list of dtypes of the parts.
      fill_save_buffer_fn: function that fills a dict from names to the tensors to save.
      consume_restore_buffer_fn: function from such a dict to the operation that restores the state.
      device: string, the device of the tensors.

    Returns:
      A dict from names to trackable objects.
    """
    buffers = _Buffers(len(component_names), fill_save_buffer_fn, consume_restore_buffer_fn)
    return {
        name: _Part(name, dtype, device, buffers) for name, dtype in zip(component_names, component_dtypes, strict=True)
    }
