"""LSTMs that run over a sequence by one operation."""

from __future__ import annotations

import abc
from typing import Any

import tinytf as tf
from tinytf.contrib.rnn.lstm_cells import lstm_variables, no_peepholes
from tinytf.python.layers.base import InputSpec, Layer


class LSTMBlockWrapper(Layer, metaclass=abc.ABCMeta):
    """What layers have in common that run an LSTM over a sequence: states to begin with, the end of sequences, the last state.
    A subclass has `num_units` and `_call_cell`."""

    @property
    @abc.abstractmethod
    def num_units(self) -> int:
        """The size of the output and of each state."""

    @abc.abstractmethod
    def _call_cell(
        self, inputs: Any, initial_cell_state: Any, initial_output: Any, dtype: Any, sequence_length: Any
    ) -> tuple[Any, Any]:
        """States and outputs of all steps, [time, batch, num_units].

        Args:
          inputs: [time, batch, depth].
          initial_cell_state, initial_output: [batch, num_units].
          dtype: of states and outputs.
          sequence_length: integers [batch], or None.
        """

    def call(self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None) -> Any:
        """Runs the LSTM.

        Args:
          inputs: [time, batch, depth], or a list of [batch, depth].
          initial_state: the pair of states to begin with, [batch, num_units]; zeros by default.
          dtype: of states and outputs; must be given where `initial_state` is not.
          sequence_length: of each sequence of the batch, integers [batch]; all steps by default.

        Returns outputs as `inputs` are, zeros after the end of a sequence, and an LSTMStateTuple of the states at the ends.
        ValueError if no type is given, or no pair.
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
        """Outputs with zeros after the ends, and the states there."""
        mask = tf.transpose(tf.sequence_mask(lengths, time, dtype=dtype), [1, 0])
        mask = tf.tile(tf.expand_dims(mask, [-1]), [1, 1, self.num_units])
        outputs *= mask
        # The first states stand in front: those at the end of a sequence of length n are number n.
        all_states = tf.concat([tf.expand_dims(initial_state[0], [0]), states], 0)
        all_outputs = tf.concat([tf.expand_dims(initial_state[1], [0]), outputs], 0)
        last_state = self._gather_states(all_states, lengths, batch)
        return outputs, (last_state, self._gather_states(all_outputs, lengths, batch))

    def _gather_states(self, data: Any, indices: Any, batch_size: Any) -> Any:
        """data[indices[i], i] for each i."""
        return tf.gather_nd(data, tf.stack([indices, tf.range(batch_size)], axis=1))


class LSTMBlockFusedCell(LSTMBlockWrapper):
    """An LSTM (http://arxiv.org/abs/1409.2329) that runs over a whole sequence by one operation: the fastest here, with the
    variables of `LSTMBlockCell`. It is called with inputs [time, batch, depth], and is no cell for `tf.nn.dynamic_rnn`.

    Args:
      num_units: the size of the output and of each state.
      forget_bias: added to the bias of the forget gate.
      cell_clip: the largest magnitude of what is remembered; none by default.
      use_peephole: whether gates see what is remembered.
      reuse: True, or tf.AUTO_REUSE, shares variables that the scope has.
      dtype: of the variables.
      name: of the layer.
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
        """Makes kernel, bias and peepholes. ValueError if the size of the input is not known."""
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
