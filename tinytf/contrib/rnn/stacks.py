"""Stacked bidirectional networks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tinytf as tf


def stack_bidirectional_rnn(
    cells_fw: list[Any],
    cells_bw: list[Any],
    inputs: Any,
    initial_states_fw: list[Any] | None = None,
    initial_states_bw: list[Any] | None = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """Stacks layers of `tf.nn.static_bidirectional_rnn`; each layer gets the outputs of the layer below.

    Args:
      cells_fw: non-empty list of forward cells, one per layer.
      cells_bw: list of backward cells, one per layer.
      inputs: as in `static_bidirectional_rnn`.
      initial_states_fw: list of initial states of `cells_fw`; zeros if None.
      initial_states_bw: list of initial states of `cells_bw`; zeros if None.
      dtype: as in `static_bidirectional_rnn`.
      sequence_length: as in `static_bidirectional_rnn`.
      scope: variable scope or name; "stack_bidirectional_rnn" if None.

    Returns:
      `(outputs, output_states_fw, output_states_bw)`: the outputs of the last layer, and tuples of the last states.

    Raises:
      ValueError: if cells or states are not lists, are empty or differ in length.
    """
    states_fw, states_bw = [], []
    with tf.variable_scope(scope or "stack_bidirectional_rnn"):
        for i, layer in _layers(cells_fw, cells_bw, initial_states_fw, initial_states_bw):
            with tf.variable_scope(f"cell_{i}") as cell_scope:
                inputs, state_fw, state_bw = tf.nn.static_bidirectional_rnn(
                    inputs=inputs, sequence_length=sequence_length, dtype=dtype, scope=cell_scope, **layer
                )
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return inputs, tuple(states_fw), tuple(states_bw)


def stack_bidirectional_dynamic_rnn(
    cells_fw: list[Any],
    cells_bw: list[Any],
    inputs: Any,
    initial_states_fw: list[Any] | None = None,
    initial_states_bw: list[Any] | None = None,
    dtype: Any = None,
    sequence_length: Any = None,
    parallel_iterations: int | None = None,
    time_major: bool = False,
    scope: Any = None,
    swap_memory: bool = False,
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """Stacks layers of `tf.nn.bidirectional_dynamic_rnn`; outputs of both directions are concatenated along axis 2.

    Args:
      cells_fw: non-empty list of forward cells, one per layer.
      cells_bw: list of backward cells, one per layer.
      inputs: as in `bidirectional_dynamic_rnn`.
      initial_states_fw: list of initial states of `cells_fw`; zeros if None.
      initial_states_bw: list of initial states of `cells_bw`; zeros if None.
      dtype: as in `bidirectional_dynamic_rnn`.
      sequence_length: as in `bidirectional_dynamic_rnn`.
      parallel_iterations: as in `bidirectional_dynamic_rnn`.
      time_major: as in `bidirectional_dynamic_rnn`.
      scope: variable scope or name; "stack_bidirectional_rnn" if None.
      swap_memory: as in `bidirectional_dynamic_rnn`.

    Returns:
      `(outputs, output_states_fw, output_states_bw)`: the outputs of the last layer, and tuples of the last states.

    Raises:
      ValueError: if cells or states are not lists, are empty or differ in length.
    """
    states_fw, states_bw = [], []
    with tf.variable_scope(scope or "stack_bidirectional_rnn"):
        for i, layer in _layers(cells_fw, cells_bw, initial_states_fw, initial_states_bw):
            with tf.variable_scope(f"cell_{i}"):
                outputs, (state_fw, state_bw) = tf.nn.bidirectional_dynamic_rnn(
                    inputs=inputs,
                    sequence_length=sequence_length,
                    dtype=dtype,
                    parallel_iterations=parallel_iterations,
                    time_major=time_major,
                    swap_memory=swap_memory,
                    **layer,
                )
                inputs = tf.concat(outputs, 2)
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return inputs, tuple(states_fw), tuple(states_bw)


def _layers(cells_fw: Any, cells_bw: Any, states_fw: Any, states_bw: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """Checks the lists; yields for each layer its index and its cells and initial states as keyword arguments."""
    for direction, cells in (("fw", cells_fw), ("bw", cells_bw)):
        if not cells:
            raise ValueError(f"Must specify at least one {direction} cell for BidirectionalRNN.")
    for direction, cells in (("fw", cells_fw), ("bw", cells_bw)):
        if not isinstance(cells, list):
            raise ValueError(f"cells_{direction} must be a list of RNNCells (one per layer).")
    if len(cells_fw) != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")
    for direction, states in (("fw", states_fw), ("bw", states_bw)):
        if states is not None and not (isinstance(states, list) and len(states) == len(cells_fw)):
            raise ValueError(f"initial_states_{direction} must be a list of state tensors (one per layer).")
    for i, (cell_fw, cell_bw) in enumerate(zip(cells_fw, cells_bw, strict=True)):
        yield (
            i,
            {
                "cell_fw": cell_fw,
                "cell_bw": cell_bw,
                "initial_state_fw": states_fw[i] if states_fw else None,
                "initial_state_bw": states_bw[i] if states_bw else None,
            },
        )
