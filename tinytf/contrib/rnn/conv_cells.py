"""Convolutional LSTM cells, whose inputs and states are images (https://arxiv.org/abs/1506.04214)."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.python.ops.rnn_cell_impl import RNNCell


class ConvLSTMCell(RNNCell):
    """A convolutional LSTM cell over signals, images or volumes with channels last.

    Args:
      conv_ndims: int, number of spatial dimensions: 1, 2 or 3.
      input_shape: list of ints, shape of an input without the batch dimension.
      output_channels: int, number of channels of the states and the output.
      kernel_shape: list of ints, size of the kernel in each spatial dimension.
      use_bias: bool, whether a bias is added to the gates.
      skip_connection: bool, whether the input's channels are appended to the output.
      forget_bias: float, added to the input of the forget gate.
      initializers: ignored.
      name: string, name of the layer.

    Raises:
      ValueError: if `input_shape` does not have `conv_ndims + 1` dimensions.
    """

    def __init__(
        self,
        conv_ndims: int,
        input_shape: list[int],
        output_channels: int,
        kernel_shape: Any,
        use_bias: bool = True,
        skip_connection: bool = False,
        forget_bias: float = 1.0,
        initializers: Any = None,
        name: Any = "conv_lstm_cell",
    ) -> None:
        super().__init__(name=name)
        if conv_ndims != len(input_shape) - 1:
            raise ValueError(f"Invalid input_shape {input_shape} for conv_ndims={conv_ndims}.")
        self._conv_ndims = conv_ndims
        self._output_channels = output_channels
        self._kernel_shape = list(kernel_shape)
        self._use_bias = use_bias
        self._skip_connection = skip_connection
        self._forget_bias = forget_bias
        channels = output_channels + (input_shape[-1] if skip_connection else 0)
        self._state_size = tf.TensorShape([*input_shape[:-1], output_channels])
        self._output_size = tf.TensorShape([*input_shape[:-1], channels])

    @property
    def state_size(self) -> Any:
        """The shapes of `c` and `h` without the batch dimension."""
        return tf.nn.rnn_cell.LSTMStateTuple(self._state_size, self._state_size)

    @property
    def output_size(self) -> Any:
        """The shape of the output without the batch dimension."""
        return self._output_size

    def call(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Computes one step."""
        c, h = state
        gates = self._convolved([inputs, h])
        i, j, f, o = tf.split(value=gates, num_or_size_splits=4, axis=self._conv_ndims + 1)
        c = tf.sigmoid(f + self._forget_bias) * c
        c += tf.sigmoid(i) * tf.tanh(j)
        output = tf.tanh(c) * tf.sigmoid(o)
        if self._skip_connection:
            output = tf.concat([output, inputs], axis=-1)
        return output, tf.nn.rnn_cell.LSTMStateTuple(c, output)

    def _convolved(self, args: list[Any]) -> Any:
        """Returns the gate inputs for images concatenated along channels. Raises ValueError if ranks are unsupported or
        differ."""
        shapes = [arg.shape.as_list() for arg in args]
        for shape in shapes:
            if len(shape) not in (3, 4, 5):
                raise ValueError(f"Conv Linear expects 3D, 4D or 5D arguments: {shapes}")
            if len(shape) != len(shapes[0]):
                raise ValueError(f"Conv Linear expects all args to be of same Dimension: {shapes}")
        rank, dtype, columns = len(shapes[0]), args[0].dtype, 4 * self._output_channels
        depth = sum(shape[-1] for shape in shapes)
        kernel = tf.get_variable("kernel", [*self._kernel_shape, depth, columns], dtype=dtype)
        convolution: Any = {3: tf.nn.conv1d, 4: tf.nn.conv2d, 5: tf.nn.conv3d}[rank]
        strides = 1 if rank == 3 else [1] * rank
        gates = convolution(tf.concat(axis=rank - 1, values=args), kernel, strides, padding="SAME")
        if not self._use_bias:
            return gates
        zeros = tf.constant_initializer(0.0, dtype=dtype)
        return gates + tf.get_variable("biases", [columns], dtype=dtype, initializer=zeros)


class Conv1DLSTMCell(ConvLSTMCell):
    """A `ConvLSTMCell` over signals; takes its other arguments by keyword."""

    def __init__(self, name: Any = "conv_1d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=1, name=name, **kwargs)


class Conv2DLSTMCell(ConvLSTMCell):
    """A `ConvLSTMCell` over images; takes its other arguments by keyword."""

    def __init__(self, name: Any = "conv_2d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=2, name=name, **kwargs)


class Conv3DLSTMCell(ConvLSTMCell):
    """A `ConvLSTMCell` over volumes; takes its other arguments by keyword."""

    def __init__(self, name: Any = "conv_3d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=3, name=name, **kwargs)
