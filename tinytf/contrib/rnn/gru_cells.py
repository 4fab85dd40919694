"""GRU cells implemented by one operation."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.python.layers.base import InputSpec
from tinytf.python.ops.rnn_cell_impl import LayerRNNCell
from tinytf.python.util.deprecation import deprecated_args


class GRUBlockCell(LayerRNNCell):
    """A gated recurrent unit (http://arxiv.org/abs/1406.1078) that computes a step by one operation.

    Use `GRUBlockCellV2` for the variable names of `GRUCell`.

    Args:
      num_units: int, size of state and output.
      cell_size: deprecated name of `num_units`.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
      name: string, name of the layer.

    Raises:
      ValueError: unless exactly one of `num_units` and `cell_size` is given.
    """

    _NAMES = ("w_ru", "b_ru", "w_c", "b_c")

    @deprecated_args(None, "cell_size is deprecated, use num_units instead", "cell_size")
    def __init__(
        self, num_units: int | None = None, cell_size: int | None = None, reuse: Any = None, name: Any = "gru_cell"
    ) -> None:
        super().__init__(_reuse=reuse, name=name)
        if (cell_size is None) == (num_units is None):
            raise ValueError("Exactly one of num_units or cell_size must be provided.")
        self._cell_size: Any = cell_size if num_units is None else num_units
        self.input_spec = InputSpec(ndim=2)

    @property
    def state_size(self) -> int:
        """The number of units."""
        return self._cell_size

    @property
    def output_size(self) -> int:
        """The number of units."""
        return self._cell_size

    def build(self, input_shape: Any) -> None:
        """Creates kernels and biases of gates and candidate. Raises ValueError if the input size is unknown."""
        depth = input_shape.as_list()[1]
        if depth is None:
            raise ValueError("Expecting input_size to be set.")
        rows, units = depth + self._cell_size, self._cell_size
        gates, gate_bias, candidate, candidate_bias = self._NAMES
        ones, zeros = tf.constant_initializer(1.0), tf.constant_initializer(0.0)
        self._gate_kernel = self.add_variable(gates, [rows, 2 * units])
        self._gate_bias = self.add_variable(gate_bias, [2 * units], initializer=ones)
        self._candidate_kernel = self.add_variable(candidate, [rows, units])
        self._candidate_bias = self.add_variable(candidate_bias, [units], initializer=zeros)
        self.built = True

    def call(self, inputs: Any, h_prev: Any) -> Any:
        """Computes one step. Raises ValueError if the state has another size."""
        size = h_prev.shape.with_rank(2).as_list()[1]
        if size is not None and size != self._cell_size:
            raise ValueError(f"Shape of h_prev[1] incorrect: cell_size {self._cell_size} vs {size}")
        step = tf.raw_ops.GRUBlockCell(
            x=inputs,
            h_prev=h_prev,
            w_ru=self._gate_kernel,
            w_c=self._candidate_kernel,
            b_ru=self._gate_bias,
            b_c=self._candidate_bias,
        )
        return step.h, step.h


class GRUBlockCellV2(GRUBlockCell):
    """`GRUBlockCell` with the variables and variable names of `GRUCell`."""

    _NAMES = ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")
