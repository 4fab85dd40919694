"""Nets that run over whole sequences, as cells run over single steps."""

from __future__ import annotations

import abc
from typing import Any

import tinytf as tf


class FusedRNNCell(metaclass=abc.ABCMeta):
    """What runs over a whole sequence when it is called, with the loop inside."""

    @abc.abstractmethod
    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> Any:
        """Outputs, as `inputs` are, and the last state.

        Args:
          inputs: [time, batch, depth], or a list of [batch, depth].
          initial_state: the states to begin with; zeros by default.
          dtype: of states and outputs; must be given where `initial_state` is not.
          sequence_length: of each sequence of the batch, integers [batch]; all steps by default.
          scope: the variable scope.
        """


class FusedRNNCellAdaptor(FusedRNNCell):
    """A cell as one.

    Args:
      cell: the cell.
      use_dynamic_rnn: whether a loop runs it; else it is called for each step in the graph.
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
        """Outputs, as `inputs` are, and the last state."""
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
    """What runs another one, `cell`, over sequences from their ends."""

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
        """Outputs, as `inputs` are, and the last state, which belongs to the first step."""
        outputs, state = self._cell(
            self._reverse(inputs, sequence_length),
            initial_state=initial_state,
            dtype=dtype,
            sequence_length=sequence_length,
            scope=scope,
        )
        return self._reverse(outputs, sequence_length), state

    def _reverse(self, t: Any, lengths: Any) -> Any:
        """Tensor or list the other way round in time."""
        if isinstance(t, list):
            return list(reversed(t))
        return tf.reverse(t, [0]) if lengths is None else tf.reverse_sequence(t, lengths, 0, 1)
