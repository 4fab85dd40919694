"""`GRUCell`: a gated recurrent unit."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.layers.activations import activation_name, activation_of
from tinytf._src.layers.initializer_names import initializer_config, initializer_of
from tinytf._src.layers.input_spec import InputSpec
from tinytf._src.layers.rnn.rnn_cell import LayerRNNCell, check_float_inputs, check_floats, known_depth
from tinytf._src.ops.array.joining import concat, split
from tinytf._src.ops.linalg.products import matmul
from tinytf._src.ops.math.arithmetic import sigmoid
from tinytf._src.ops.nn.activations import bias_add
from tinytf._src.variables import initializers


@tf_export("nn.rnn_cell.GRUCell")
class GRUCell(LayerRNNCell):
    """Gated recurrent unit (http://arxiv.org/abs/1406.1078); the output is the state.

    Args:
      num_units: int, size of the state and the output.
      activation: function, or its name, for the candidate state; defaults to tanh.
      reuse: True or tf.AUTO_REUSE to reuse existing variables of the scope.
      kernel_initializer: optional initializer of both kernels.
      bias_initializer: optional initializer of both biases; by default 1 for the gates and 0 for the candidate.
      name, dtype, trainable: as in a layer.

    Raises:
      ValueError: if `dtype` is neither floating nor complex.
    """

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: Any = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: Any = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_floats(self.dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = activation_of(activation) if activation else gen_ops.tanh
        self._kernel_initializer = initializer_of(kernel_initializer)
        self._bias_initializer = initializer_of(bias_initializer)

    @property
    def state_size(self) -> int:
        """The number of units."""
        return self._num_units

    @property
    def output_size(self) -> int:
        """The number of units."""
        return self._num_units

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments as a dict."""
        config = super().get_config()
        config.update(
            num_units=self._num_units,
            kernel_initializer=initializer_config(self._kernel_initializer),
            bias_initializer=initializer_config(self._bias_initializer),
            activation=activation_name(self._activation),
            reuse=self._reuse,
        )
        return config

    def build(self, input_shape: Any) -> None:
        """Creates the kernels and biases of the gates and of the candidate.

        Args:
          input_shape: shape of the inputs, [batch, depth]; the depth must be known.
        """
        depth = known_depth(input_shape) + self._num_units
        check_floats(self.dtype)
        self._gate_kernel, self._gate_bias = self._layer("gates", depth, 2 * self._num_units, 1.0)
        self._candidate_kernel, self._candidate_bias = self._layer("candidate", depth, self._num_units, 0.0)
        self.built = True

    def _layer(self, name: str, inputs: int, outputs: int, bias: float) -> tuple[Any, Any]:
        kernel = self.add_variable(f"{name}/kernel", shape=[inputs, outputs], initializer=self._kernel_initializer)
        start = self._bias_initializer
        if start is None:
            start = initializers.constant(bias, dtype=self.dtype) if bias else initializers.zeros(dtype=self.dtype)
        return kernel, self.add_variable(f"{name}/bias", shape=[outputs], initializer=start)

    def call(self, inputs: Any, state: Any) -> Any:
        """Runs one time step.

        Args:
          inputs: floating-point tensor [batch, depth].
          state: tensor [batch, num_units].

        Returns:
          A pair: the output [batch, num_units], and the new state, which is the same tensor.
        """
        check_float_inputs(inputs, state)
        gates = matmul(concat([inputs, state], 1), self._gate_kernel)
        gates = sigmoid(bias_add(gates, self._gate_bias))
        reset, update = split(value=gates, num_or_size_splits=2, axis=1)
        candidate = matmul(concat([inputs, reset * state], 1), self._candidate_kernel)
        candidate = self._activation(bias_add(candidate, self._candidate_bias))
        state = update * state + (1 - update) * candidate
        return state, state
