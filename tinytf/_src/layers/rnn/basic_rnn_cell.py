"""`BasicRNNCell`: a cell whose output is its state."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.layers.activations import activation_name, activation_of
from tinytf._src.layers.input_spec import InputSpec
from tinytf._src.layers.rnn.rnn_cell import LayerRNNCell, check_float_inputs, check_floats, known_depth
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.linalg.products import matmul
from tinytf._src.ops.nn.activations import bias_add
from tinytf._src.variables import initializers


@tf_export("nn.rnn_cell.BasicRNNCell")
class BasicRNNCell(LayerRNNCell):
    """The simplest RNN cell: `output = state = activation([inputs, state] @ kernel + bias)`.

    Args:
      num_units: int, size of the state and the output.
      activation: function or its name; defaults to tanh.
      reuse: True or tf.AUTO_REUSE to reuse existing variables of the scope.
      name, dtype, trainable: as in a layer.

    Raises:
      ValueError: if `dtype` is neither floating nor complex.
    """

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: Any = None,
        name: Any = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_floats(self.dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = activation_of(activation) if activation else gen_ops.tanh

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
            activation=activation_name(self._activation),
            reuse=self._reuse,
        )
        return config

    def build(self, input_shape: Any) -> None:
        """Creates the kernel and the bias.

        Args:
          input_shape: shape of the inputs, [batch, depth]; the depth must be known.
        """
        depth = known_depth(input_shape)
        check_floats(self.dtype)
        self._kernel = self.add_variable("kernel", shape=[depth + self._num_units, self._num_units])
        zero = initializers.zeros(dtype=self.dtype)
        self._bias = self.add_variable("bias", shape=[self._num_units], initializer=zero)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """Runs one time step.

        Args:
          inputs: floating-point tensor [batch, depth].
          state: tensor [batch, num_units].

        Returns:
          A pair: the output [batch, num_units], and the new state, which is the same tensor.
        """
        check_float_inputs(inputs, state)
        product = matmul(concat([inputs, state], 1), self._kernel)
        output = self._activation(bias_add(product, self._bias))
        return output, output
