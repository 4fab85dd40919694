"""`CoupledInputForgetGateLSTMCell`: an LSTM with one gate for input and forgetting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.contrib.rnn.layer_norm_cell import normalized
from tinytf.contrib.rnn.sharded import sharded_matrix
from tinytf.python.ops.rnn_cell_impl import RNNCell


class CoupledInputForgetGateLSTMCell(RNNCell):
    """An LSTM cell whose input gate is 1 minus the forget gate (http://arxiv.org/abs/1503.04069).

    Args:
      num_units: int, size of the cell state.
      use_peepholes: bool, whether the gates read the cell state.
      initializer: ignored.
      num_proj: int, size that the output is projected to; no projection if None.
      proj_clip: float, projected outputs are clipped to [-proj_clip, proj_clip]; no clipping if None.
      num_unit_shards: int, number of variables that the gates' kernel is split into.
      num_proj_shards: int, number of variables that the projection is split into.
      forget_bias: float, added to the input of the forget gate.
      state_is_tuple: bool, whether the state is an `LSTMStateTuple` instead of one tensor.
      activation: activation function of the candidate and of the output.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
      layer_norm: bool, whether gate inputs and the cell state are normalized; the bias is not added then.
      norm_gain: float, initial scale after normalization.
      norm_shift: float, initial offset after normalization.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: int = 1,
        num_proj_shards: int = 1,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Callable[[Any], Any] = tf.tanh,
        reuse: Any = None,
        layer_norm: bool = False,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
    ) -> None:
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            tf.logging.warn(
                f"{self}: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True."
            )
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._num_proj = num_proj
        self._proj_clip = proj_clip
        self._num_unit_shards = num_unit_shards
        self._num_proj_shards = num_proj_shards
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation
        self._layer_norm = layer_norm
        self._norm_gain = norm_gain
        self._norm_shift = norm_shift

    @property
    def state_size(self) -> Any:
        """The sizes of cell state and output, or their sum."""
        sizes = tf.nn.rnn_cell.LSTMStateTuple(self._num_units, self.output_size)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> int:
        """The size of the projection, or the number of units."""
        return self._num_proj or self._num_units

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step. Raises ValueError if the input size is unknown."""
        c, m = state if self._state_is_tuple else self._parts(state)
        j, f, o = self._gates(inputs, m)
        diagonals = self._diagonals(inputs.dtype)
        f = f + self._forget_bias
        forget = tf.sigmoid(f + diagonals["F"] * c if diagonals else f)
        c = self._normalized(forget * c + (1 - forget) * self._activation(j), "state")
        m = tf.sigmoid(o + diagonals["O"] * c if diagonals else o) * self._activation(c)
        if self._num_proj is not None:
            m = self._projected(m, self._num_proj)
        return m, tf.nn.rnn_cell.LSTMStateTuple(c, m) if self._state_is_tuple else tf.concat([c, m], 1)

    def _parts(self, state: Any) -> tuple[Any, Any]:
        units = self._num_units
        size = units if self._num_proj is None else self._num_proj
        return tf.slice(state, [0, 0], [-1, units]), tf.slice(state, [0, units], [-1, size])

    def _gates(self, inputs: Any, m: Any) -> list[Any]:
        """Returns the inputs of the candidate, the forget gate and the output gate."""
        depth = inputs.shape.with_rank(2).as_list()[1]
        if depth is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        columns = 3 * self._num_units
        rows = depth + (self._num_units if self._num_proj is None else self._num_proj)
        kernel = sharded_matrix("W", [rows, columns], inputs.dtype, self._num_unit_shards)
        bias = tf.get_variable("B", [columns], dtype=inputs.dtype, initializer=tf.zeros_initializer())
        gates = tf.matmul(tf.concat([inputs, m], 1), kernel)
        if not self._layer_norm:
            gates = tf.nn.bias_add(gates, bias)
        parts = tf.split(value=gates, num_or_size_splits=3, axis=1)
        return [self._normalized(*part) for part in zip(parts, ("transform", "forget", "output"), strict=True)]

    def _normalized(self, x: Any, scope: str) -> Any:
        return normalized(x, scope, self._norm_gain, self._norm_shift) if self._layer_norm else x

    def _diagonals(self, dtype: Any) -> dict[str, Any]:
        """Creates the peephole weights by gate."""
        gates = "FO" if self._use_peepholes else ""
        return {gate: tf.get_variable(f"W_{gate}_diag", [self._num_units], dtype=dtype) for gate in gates}

    def _projected(self, m: Any, size: int) -> Any:
        m = tf.matmul(m, sharded_matrix("W_P", [self._num_units, size], m.dtype, self._num_proj_shards))
        return m if self._proj_clip is None else tf.clip_by_value(m, -self._proj_clip, self._proj_clip)
