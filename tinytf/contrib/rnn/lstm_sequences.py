"""LSTMs that process a whole sequence by one operation."""

from __future__ import annotations

import abc
from typing import Any

import tinytf as tf
from tinytf.contrib.rnn.lstm_cells import lstm_variables, no_peepholes
from tinytf.python.layers.base import InputSpec, Layer


class LSTMBlockWrapper(Layer, metaclass=abc.ABCMeta):
    """Base class of layers that process a sequence: handles initial states, sequence lengths and last states.

    A subclass implements `num_units` and `_call_cell`.
    """

    @property
    @abc.abstractmethod
    def num_units(self) -> int:
        """The size of the output and of each state."""

    @abc.abstractmethod
    def _call_cell(
        self, inputs: Any, initial_cell_state: Any, initial_output: Any, dtype: Any, sequence_length: Any
    ) -> tuple[Any, Any]:
        """Returns the cell states and outputs of all steps, [time, batch, num_units].

        Args:
          inputs: tensor [time, batch, depth].
          initial_cell_state: tensor [batch, num_units].
          initial_output: tensor [batch, num_units].
          dtype: dtype of states and outputs.
          sequence_length: integer tensor [batch], or None.
        """

    def call(self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None) -> Any:
        """Runs the LSTM.

        Args:
          inputs: tensor [time, batch, depth], or a list of tensors [batch, depth].
          initial_state: pair of tensors [batch, num_units]; zeros if None.
          dtype: dtype of states and outputs; required if `initial_state` is None.
          sequence_length: integer tensor [batch], length of each sequence; all steps if None.

        Returns:
          A pair of the outputs, structured like `inputs`, with zeros after the end of a sequence, and an
          `LSTMStateTuple` of the states at the ends.

        Raises:
          ValueError: if `dtype` is missing or `initial_state` is not a pair.
        """
        is_list = isinstance(inputs, list)
        if is_list:
            inputs = tf.stack(inputs)
        time, batch, _ = inputs.shape.with_rank(3).as_list()
        if batch is None:
            batch = tf.shape(inputs)[1]
        if time is None:
            time = tf.shape(inputs)[0]
        if initial_state is None:
            if dtype is None:
                raise ValueError("Either initial_state or dtype needs to be specified")
            zeros = tf.zeros(tf.stack([batch, self.num_units]), dtype=dtype)
            initial_state = zeros, zeros
        elif len(initial_state) != 2:
            raise ValueError("Expecting initial_state to be a tuple with length 2 or None")
        elif dtype is None:
            dtype = initial_state[0].dtype
        if sequence_length is not None:
            sequence_length = tf.convert_to_tensor(sequence_length)
        states, outputs = self._call_cell(inputs, initial_state[0], initial_state[1], dtype, sequence_length)
        if sequence_length is None:
            last = states[-1], outputs[-1]
        else:
            outputs, last = self._ended(states, outputs, initial_state, dtype, sequence_length, time, batch)
        if is_list:
            outputs = tf.unstack(outputs)
        return outputs, tf.nn.rnn_cell.LSTMStateTuple(*last)

    def _ended(
        self, states: Any, outputs: Any, initial_state: Any, dtype: Any, lengths: Any, time: Any, batch: Any
    ) -> tuple[Any, tuple[Any, Any]]:
        """Returns the outputs with zeros after the ends of sequences, and the states at the ends."""
        mask = tf.transpose(tf.sequence_mask(lengths, time, dtype=dtype), [1, 0])
        mask = tf.tile(tf.expand_dims(mask, [-1]), [1, 1, self.num_units])
        outputs *= mask
        # The initial states are prepended, so the state at the end of a sequence of length n has index n.
        all_states = tf.concat([tf.expand_dims(initial_state[0], [0]), states], 0)
        all_outputs = tf.concat([tf.expand_dims(initial_state[1], [0]), outputs], 0)
        last_state = self._gather_states(all_states, lengths, batch)
        return outputs, (last_state, self._gather_states(all_outputs, lengths, batch))

    def _gather_states(self, data: Any, indices: Any, batch_size: Any) -> Any:
        """Returns data[indices[i], i] for each i."""
        return tf.gather_nd(data, tf.stack([indices, tf.range(batch_size)], axis=1))


class LSTMBlockFusedCell(LSTMBlockWrapper):
    """An LSTM (http://arxiv.org/abs/1409.2329) that processes a whole sequence by one operation.

    It is the fastest implementation and has the variables of `LSTMBlockCell`. It is called with inputs [time, batch,
    depth] and cannot be used in `tf.nn.dynamic_rnn`.

    Args:
      num_units: int, size of the output and of each state.
      forget_bias: float, added to the input of the forget gate.
      cell_clip: float, the cell state is clipped to [-cell_clip, cell_clip]; no clipping if None.
      use_peephole: bool, whether the gates read the cell state.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
      dtype: dtype of the variables.
      name: string, name of the layer.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        cell_clip: float | None = None,
        use_peephole: bool = False,
        reuse: Any = None,
        dtype: Any = None,
        name: Any = "lstm_fused_cell",
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self._use_peephole = use_peephole
        self.input_spec = InputSpec(ndim=3)

    @property
    def num_units(self) -> int:
        """The size of the output and of each state."""
        return self._num_units

    def build(self, input_shape: Any) -> None:
        """Creates kernel, bias and peephole weights. Raises ValueError if the input size is unknown."""
        depth = input_shape.as_list()[2]
        if not depth:
            raise ValueError(f"Expecting inputs_shape[2] to be set: {input_shape}")
        self._variables = lstm_variables(self, depth, self._num_units, self._use_peephole)
        self.built = True

    def _call_cell(
        self,
        inputs: Any,
        initial_cell_state: Any = None,
        initial_output: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
    ) -> tuple[Any, Any]:
        time = inputs.shape.with_rank(3).as_list()[0]
        if time is None:
            time = tf.shape(inputs)[0]
        unseen = {} if self._use_peephole else no_peepholes(self._num_units, dtype)
        longest = time if sequence_length is None else tf.reduce_max(sequence_length)
        run = tf.raw_ops.BlockLSTM(
            seq_len_max=tf.cast(longest, tf.int64),
            x=inputs,
            cs_prev=initial_cell_state,
            h_prev=initial_output,
            **self._variables,
            **unseen,
            forget_bias=self._forget_bias,
            cell_clip=self._cell_clip,
            use_peephole=self._use_peephole,
        )
        return run.cs, run.h
