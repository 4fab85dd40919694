"""`BasicLSTMCell`: an LSTM cell without peepholes, clipping or projection."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.layers.activations import activation_name, activation_of
from tinytf._src.layers.input_spec import InputSpec
from tinytf._src.layers.rnn.lstm_state import LSTMStateTuple, warn_of_joined_state
from tinytf._src.layers.rnn.rnn_cell import LayerRNNCell, check_float_inputs, check_floats, known_depth
from tinytf._src.ops.array.joining import concat, split
from tinytf._src.ops.linalg.products import matmul
from tinytf._src.ops.math.arithmetic import sigmoid
from tinytf._src.ops.nn.activations import bias_add
from tinytf._src.variables import initializers


@tf_export("nn.rnn_cell.BasicLSTMCell")
class BasicLSTMCell(LayerRNNCell):
    """Basic LSTM cell (http://arxiv.org/abs/1409.2329); for peepholes, clipping and projection use `LSTMCell`.

    Args:
      num_units: int, size of the output and of the cell state.
      forget_bias: float added to the bias of the forget gate.
      state_is_tuple: bool, whether the state is an LSTMStateTuple; otherwise it is one tensor of `c` and `h`
        concatenated along axis 1.
      activation: function, or its name, for the cell input and the output; defaults to tanh.
      reuse: True or tf.AUTO_REUSE to reuse existing variables of the scope.
      name, dtype, trainable: as in a layer.

    Raises:
      ValueError: if `dtype` is neither floating nor complex.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: Any = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: Any = None,
        name: Any = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_floats(self.dtype)
        if not state_is_tuple:
            warn_of_joined_state(self)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation_of(activation) if activation else gen_ops.tanh

    @property
    def state_size(self) -> Any:
        """The sizes of `c` and `h` as an LSTMStateTuple, or their sum."""
        return LSTMStateTuple(self._num_units, self._num_units) if self._state_is_tuple else 2 * self._num_units

    @property
    def output_size(self) -> int:
        """The number of units."""
        return self._num_units

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments as a dict."""
        config = super().get_config()
        config.update(
            num_units=self._num_units,
            forget_bias=self._forget_bias,
            state_is_tuple=self._state_is_tuple,
            activation=activation_name(self._activation),
            reuse=self._reuse,
        )
        return config

    def build(self, input_shape: Any) -> None:
        """Creates the kernel and the bias of all gates.

        Args:
          input_shape: shape of the inputs, [batch, depth]; the depth must be known.
        """
        depth = known_depth(input_shape)
        check_floats(self.dtype)
        self._kernel = self.add_variable("kernel", shape=[depth + self._num_units, 4 * self._num_units])
        zero = initializers.zeros(dtype=self.dtype)
        self._bias = self.add_variable("bias", shape=[4 * self._num_units], initializer=zero)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """Runs one time step.

        Args:
          inputs: floating-point tensor [batch, depth].
          state: state in the structure of `state_size`.

        Returns:
          A pair: the output [batch, num_units], and the new state.
        """
        check_float_inputs(inputs, state)
        axis = constant(1, dtype=dtypes.int32)
        c, h = state if self._state_is_tuple else split(value=state, num_or_size_splits=2, axis=axis)
        gates = bias_add(matmul(concat([inputs, h], 1), self._kernel), self._bias)
        i, j, f, o = split(value=gates, num_or_size_splits=4, axis=axis)
        forget_bias = constant(self._forget_bias, dtype=f.dtype)
        kept = gen_ops.mul(c, sigmoid(gen_ops.add(f, forget_bias)))
        c = gen_ops.add(kept, gen_ops.mul(sigmoid(i), self._activation(j)))
        h = gen_ops.mul(self._activation(c), sigmoid(o))
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else concat([c, h], 1)
