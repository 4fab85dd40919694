"""`MultiRNNCell`: a stack of cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.nest import nest
from tinytf._src.framework.resources.trackable import Trackable
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.layers.rnn.rnn_cell import RNNCell
from tinytf._src.layers.scoped import Layer
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.slicing import slice as slice_of
from tinytf._src.variables.scope import variable_scope


@tf_export("nn.rnn_cell.MultiRNNCell")
class MultiRNNCell(RNNCell):
    """A stack of cells; the output of each cell is the input of the next one.

    Args:
      cells: list or tuple of RNNCells, in the order in which they run.
      state_is_tuple: bool, whether the state is the tuple of the cells' states; otherwise the states are concatenated
        along axis 1.

    Raises:
      ValueError: if `cells` is empty, or if `state_is_tuple` is False although a cell has a nested state.
      TypeError: if `cells` is not a sequence.
    """

    def __init__(self, cells: Sequence[Any], state_is_tuple: bool = True) -> None:
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not nest.is_nested(cells):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        if len(set(map(id, cells))) < len(cells):
            _warn_of_shared_weights()
        self._cells = cells
        for number, cell in enumerate(cells):
            if isinstance(cell, Trackable):
                self._track_trackable(cell, f"cell-{number}")
        self._state_is_tuple = state_is_tuple
        if not state_is_tuple and any(nest.is_nested(cell.state_size) for cell in cells):
            raise ValueError(
                "Some cells return tuples of states, but the flag state_is_tuple is not set.  State sizes are: "
                f"{[cell.state_size for cell in cells]}"
            )

    @property
    def state_size(self) -> Any:
        """The tuple of the cells' state sizes, or their sum."""
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> Any:
        """The output size of the last cell."""
        return self._cells[-1].output_size

    @called_by_users
    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the tuple of the cells' zero states, or one tensor of zeros.

        Args:
          batch_size: int or int32 scalar.
          dtype: dtype of the states.
        """
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            if self._state_is_tuple:
                return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)
            return super().zero_state(batch_size, dtype)

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables of the cells."""
        return self._of_cells("trainable_weights") if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The untrainable variables of the cells."""
        rest = self._of_cells("non_trainable_weights")
        return rest if self.trainable else self._of_cells("trainable_weights") + rest

    def _of_cells(self, which: str) -> list[Any]:
        return [weight for cell in self._cells if isinstance(cell, Layer) for weight in getattr(cell, which)]

    def call(self, inputs: Any, state: Any) -> Any:
        """Runs one time step of all cells.

        Args:
          inputs: input of the first cell.
          state: tuple of the cells' states, or one tensor.

        Returns:
          A pair: the output of the last cell, and the new states.

        Raises:
          ValueError: if `state` is not nested although `state_is_tuple` is True.
        """
        states = []
        begin = 0
        for i, cell in enumerate(self._cells):
            with variable_scope(f"cell_{i}"):
                if self._state_is_tuple:
                    if not nest.is_nested(state):
                        raise ValueError(
                            f"Expected state to be a tuple of length {len(self.state_size)}, but received: {state}"
                        )
                    own = state[i]
                else:
                    own = slice_of(state, [0, begin], [-1, cell.state_size])
                    begin += cell.state_size
                inputs, new_state = cell(inputs, own)
                states.append(new_state)
        return inputs, tuple(states) if self._state_is_tuple else concat(states, 1)


def _warn_of_shared_weights() -> None:
    from tinytf._src.framework.logs import tf_logging

    tf_logging.log_first_n(
        tf_logging.WARN,
        "At least two cells provided to MultiRNNCell are the same object and will share weights.",
        1,
    )
