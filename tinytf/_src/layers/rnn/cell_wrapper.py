"""Cells that wrap another cell: the base class, `DeviceWrapper` and `ResidualWrapper`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.nest import nest
from tinytf._src.framework.resources.trackable import Trackable
from tinytf._src.framework.scopes.name_scope import device as device_scope
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.layers.rnn.rnn_cell import RNNCell, assert_like_rnncell


class CellWrapper(RNNCell):
    """Base class of cells that wrap `cell`, which owns the variables. Subclasses implement `_call_wrapped_cell`."""

    def __init__(self, cell: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        assert_like_rnncell("cell", cell)
        self.cell = cell
        if isinstance(cell, Trackable):
            self._track_trackable(cell, "cell")

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments as a dict; the wrapped cell is a dict of its class name and config."""
        cell = {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}
        return {**super().get_config(), "cell": cell}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """Creates the cell from the dict of `get_config`, in which the caller has replaced the config of the wrapped
        cell by a cell.

        Raises ValueError if `config["cell"]` is not a cell.
        """
        config = dict(config)
        cell = config.pop("cell")
        try:
            assert_like_rnncell("cell", cell)
        except TypeError:
            raise ValueError(
                "RNNCellWrapper cannot reconstruct the wrapped cell. Please overwrite the cell in the config with a RNNCell "
                "instance."
            ) from None
        return cls(cell, **config)

    @property
    def state_size(self) -> Any:
        """The state size of the wrapped cell."""
        return self.cell.state_size

    @property
    def output_size(self) -> Any:
        """The output size of the wrapped cell."""
        return self.cell.output_size

    @called_by_users
    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the zero state of the wrapped cell.

        Args:
          batch_size: int or int32 scalar.
          dtype: dtype of the state.
        """
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return self.cell.zero_state(batch_size, dtype)

    @called_by_users
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Runs one time step; returns the output and the new state."""
        return self._call_wrapped_cell(inputs, state, cell_call_fn=self.cell.__call__, scope=scope)

    def _call_wrapped_cell(self, inputs: Any, state: Any, cell_call_fn: Callable[..., Any], **kwargs: Any) -> Any:
        raise NotImplementedError


@tf_export("nn.rnn_cell.DeviceWrapper")
class DeviceWrapper(CellWrapper):
    """Wrapper that runs a cell on a device.

    Args:
      cell: RNNCell to wrap.
      device: device name or function, as in `tf.device`.
    """

    def __init__(self, cell: Any, device: Any, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)
        self._device = device

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments as a dict."""
        return {**super().get_config(), "device": self._device}

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the zero state of the wrapped cell, created on the device.

        Args:
          batch_size: int or int32 scalar.
          dtype: dtype of the state.
        """
        with device_scope(self._device):
            return super().zero_state(batch_size, dtype)

    def _call_wrapped_cell(self, inputs: Any, state: Any, cell_call_fn: Callable[..., Any], **kwargs: Any) -> Any:
        with device_scope(self._device):
            return cell_call_fn(inputs, state, **kwargs)


@tf_export("nn.rnn_cell.ResidualWrapper")
class ResidualWrapper(CellWrapper):
    """Wrapper that adds the input of a cell to its output.

    Args:
      cell: RNNCell to wrap.
      residual_fn: optional function `(inputs, outputs)` that replaces the sum.
    """

    def __init__(self, cell: Any, residual_fn: Callable[[Any, Any], Any] | None = None, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)
        self._residual_fn = residual_fn

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments as a dict."""
        config = super().get_config()
        return config if self._residual_fn is None else {**config, "residual_fn": self._residual_fn}

    def _call_wrapped_cell(self, inputs: Any, state: Any, cell_call_fn: Callable[..., Any], **kwargs: Any) -> Any:
        outputs, new_state = cell_call_fn(inputs, state, **kwargs)
        return (self._residual_fn or _sums)(inputs, outputs), new_state


def _sums(inputs: Any, outputs: Any) -> Any:
    """Adds inputs and outputs. Raises ValueError if shapes differ, and ValueError or TypeError if structures differ."""
    nest.assert_same_structure(inputs, outputs)
    nest.map_structure(lambda one, other: one.shape.assert_is_compatible_with(other.shape), inputs, outputs)
    return nest.map_structure(lambda one, other: one + other, inputs, outputs)
