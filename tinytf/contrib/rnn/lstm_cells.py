"""`LSTMBlockCell`: an LSTM cell implemented by one operation."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.python.layers.base import InputSpec
from tinytf.python.ops.rnn_cell_impl import LayerRNNCell


class LSTMBlockCell(LayerRNNCell):
    """An LSTM cell (http://arxiv.org/abs/1409.2329) that computes a step by one operation.

    It is faster than `LSTMCell` and has the same variables.

    Args:
      num_units: int, size of the output and of each state.
      forget_bias: float, added to the input of the forget gate.
      cell_clip: float, the cell state is clipped to [-cell_clip, cell_clip]; no clipping if None.
      use_peephole: bool, whether the gates read the cell state.
      dtype: dtype of the variables.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
      name: string, name of the layer; the default is that of `LSTMCell`, so that variables have the same names.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        cell_clip: float | None = None,
        use_peephole: bool = False,
        dtype: Any = None,
        reuse: Any = None,
        name: Any = "lstm_cell",
    ) -> None:
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._use_peephole = use_peephole
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self.input_spec = InputSpec(ndim=2)

    @property
    def state_size(self) -> Any:
        """The sizes of `c` and `h`."""
        return tf.nn.rnn_cell.LSTMStateTuple(self._num_units, self._num_units)

    @property
    def output_size(self) -> int:
        """The number of units."""
        return self._num_units

    def build(self, inputs_shape: Any) -> None:
        """Creates kernel, bias and peephole weights. Raises ValueError if the input size is unknown."""
        depth = inputs_shape.as_list()[1]
        if not depth:
            raise ValueError(f"Expecting inputs_shape[1] to be set: {inputs_shape}")
        self._variables = lstm_variables(self, depth, self._num_units, self._use_peephole)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step. Raises ValueError if the state is not a pair."""
        if len(state) != 2:
            raise ValueError("Expecting state to be a tuple with length 2.")
        unseen = {} if self._use_peephole else no_peepholes(self._num_units, self.dtype)
        cs_prev, h_prev = state
        step = tf.raw_ops.LSTMBlockCell(
            x=inputs,
            cs_prev=cs_prev,
            h_prev=h_prev,
            **self._variables,
            **unseen,
            forget_bias=self._forget_bias,
            cell_clip=self._cell_clip,
            use_peephole=self._use_peephole,
        )
        return step.h, tf.nn.rnn_cell.LSTMStateTuple(step.cs, step.h)


def lstm_variables(layer: Any, depth: int, units: int, use_peephole: bool) -> dict[str, Any]:
    """Creates the variables of an LSTM; returns them by the input names of the operations."""
    made = {
        "w": layer.add_variable("kernel", [depth + units, 4 * units]),
        "b": layer.add_variable("bias", [4 * units], initializer=tf.constant_initializer(0.0)),
    }
    if use_peephole:
        for gate in "ifo":
            made[f"wc{gate}"] = layer.add_variable(f"w_{gate}_diag", [units])
    return made


def no_peepholes(units: int, dtype: Any) -> dict[str, Any]:
    """Returns zeros as the peephole inputs of operations for LSTMs without peepholes."""
    return dict.fromkeys(("wci", "wcf", "wco"), tf.zeros([units], dtype=dtype))
