"""Fused networks, which process whole sequences."""

from __future__ import annotations

import abc
from typing import Any

import tinytf as tf


class FusedRNNCell(metaclass=abc.ABCMeta):
    """Base class of networks that process a whole sequence in one call."""

    @abc.abstractmethod
    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> Any:
        """Runs the network.

        Args:
          inputs: tensor [time, batch, depth], or a list of tensors [batch, depth].
          initial_state: the initial state; zeros if None.
          dtype: dtype of states and outputs; required if `initial_state` is None.
          sequence_length: integer tensor [batch], length of each sequence; all steps if None.
          scope: variable scope or name.

        Returns:
          A pair of the outputs, structured like `inputs`, and the last state.
        """


class FusedRNNCellAdaptor(FusedRNNCell):
    """Turns a cell into a fused network.

    Args:
      cell: an `RNNCell`.
      use_dynamic_rnn: bool, whether to use `tf.nn.dynamic_rnn` instead of unrolling the steps in the graph.
    """

    def __init__(self, cell: Any, use_dynamic_rnn: bool = False) -> None:
        self._cell = cell
        self._use_dynamic_rnn = use_dynamic_rnn

    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> Any:
        """Returns the outputs, structured like `inputs`, and the last state."""
        options = {"sequence_length": sequence_length, "initial_state": initial_state, "dtype": dtype, "scope": scope}
        is_list = isinstance(inputs, list)
        if self._use_dynamic_rnn:
            inputs = tf.stack(inputs) if is_list else inputs
            outputs, state = tf.nn.dynamic_rnn(self._cell, inputs, time_major=True, **options)
            return tf.unstack(outputs) if is_list else outputs, state
        inputs = inputs if is_list else tf.unstack(inputs)
        outputs, state = tf.nn.static_rnn(self._cell, inputs, **options)
        return outputs if is_list else tf.stack(outputs), state


class TimeReversedFusedRNN(FusedRNNCell):
    """Runs a fused network, `cell`, on time-reversed sequences."""

    def __init__(self, cell: Any) -> None:
        self._cell = cell

    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> Any:
        """Returns the outputs, structured like `inputs` and in its order, and the last state, after the first time
        step."""
        outputs, state = self._cell(
            self._reverse(inputs, sequence_length),
            initial_state=initial_state,
            dtype=dtype,
            sequence_length=sequence_length,
            scope=scope,
        )
        return self._reverse(outputs, sequence_length), state

    def _reverse(self, t: Any, lengths: Any) -> Any:
        """Reverses a tensor or list in time."""
        if isinstance(t, list):
            return list(reversed(t))
        return tf.reverse(t, [0]) if lengths is None else tf.reverse_sequence(t, lengths, 0, 1)
