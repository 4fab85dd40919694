"""`LSTMCell`: an LSTM cell with optional peepholes, clipping and projection."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.layers.activations import activation_name, activation_of
from tinytf._src.layers.initializer_names import initializer_config, initializer_of
from tinytf._src.layers.input_spec import InputSpec
from tinytf._src.layers.rnn.lstm_state import LSTMStateTuple, warn_of_joined_state
from tinytf._src.layers.rnn.rnn_cell import LayerRNNCell, check_float_inputs, check_floats, known_depth
from tinytf._src.ops.array.joining import concat, split
from tinytf._src.ops.array.slicing import slice as slice_of
from tinytf._src.ops.linalg.products import matmul
from tinytf._src.ops.math.arithmetic import sigmoid
from tinytf._src.ops.math.clip_ops import clip_by_value
from tinytf._src.ops.nn.activations import bias_add
from tinytf._src.variables import initializers
from tinytf._src.variables.partitioners import fixed_size_partitioner


@tf_export("nn.rnn_cell.LSTMCell")
class LSTMCell(LayerRNNCell):
    """LSTM cell (https://research.google.com/pubs/archive/43905.pdf) with optional peepholes, clipping and projection.

    Args:
      num_units: int, size of the cell state.
      use_peepholes: bool, whether the gates read the cell state.
      cell_clip: optional float; the cell state is clipped to [-cell_clip, cell_clip].
      initializer: optional initializer of the kernels and the peephole weights.
      num_proj: optional int, size to which the output is projected.
      proj_clip: optional float; the projected output is clipped to [-proj_clip, proj_clip].
      num_unit_shards: deprecated; number of partitions of the kernel. Use a partitioner of the variable scope.
      num_proj_shards: deprecated; number of partitions of the projection kernel.
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
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: int | None = None,
        num_proj_shards: int | None = None,
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
        if num_unit_shards is not None or num_proj_shards is not None:
            _warn_of_shards(self)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip = cell_clip
        self._initializer = initializer_of(initializer)
        self._num_proj = num_proj
        self._proj_clip = proj_clip
        self._num_unit_shards = num_unit_shards
        self._num_proj_shards = num_proj_shards
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation_of(activation) if activation else gen_ops.tanh
        self._output_size = num_proj or num_units

    @property
    def state_size(self) -> Any:
        """The sizes of `c` and `h` as an LSTMStateTuple, or their sum."""
        sizes = LSTMStateTuple(self._num_units, self._output_size)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> int:
        """The projection size, or the number of units without projection."""
        return self._output_size

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments as a dict."""
        config = super().get_config()
        config.update(
            num_units=self._num_units,
            use_peepholes=self._use_peepholes,
            cell_clip=self._cell_clip,
            initializer=initializer_config(self._initializer),
            num_proj=self._num_proj,
            proj_clip=self._proj_clip,
            num_unit_shards=self._num_unit_shards,
            num_proj_shards=self._num_proj_shards,
            forget_bias=self._forget_bias,
            state_is_tuple=self._state_is_tuple,
            activation=activation_name(self._activation),
            reuse=self._reuse,
        )
        return config

    def build(self, input_shape: Any) -> None:
        """Creates the kernel and bias of all gates, the peephole weights and the projection kernel.

        Args:
          input_shape: shape of the inputs, [batch, depth]; the depth must be known.
        """
        depth = known_depth(input_shape)
        check_floats(self.dtype)
        outputs = self._num_units if self._num_proj is None else self._num_proj
        self._kernel = self.add_variable(
            "kernel",
            shape=[depth + outputs, 4 * self._num_units],
            initializer=self._initializer,
            partitioner=_parts(self._num_unit_shards),
        )
        zero = initializers.zeros(dtype=self.dtype)
        self._bias = self.add_variable("bias", shape=[4 * self._num_units], initializer=zero)
        if self._use_peepholes:
            self._w_f_diag, self._w_i_diag, self._w_o_diag = (
                self.add_variable(name, shape=[self._num_units], initializer=self._initializer)
                for name in ("w_f_diag", "w_i_diag", "w_o_diag")
            )
        if self._num_proj is not None:
            self._proj_kernel = self.add_variable(
                "projection/kernel",
                shape=[self._num_units, self._num_proj],
                initializer=self._initializer,
                partitioner=_parts(self._num_proj_shards),
            )
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """Runs one time step.

        Args:
          inputs: floating-point tensor [batch, depth].
          state: state in the structure of `state_size`.

        Returns:
          A pair: the output [batch, output_size], and the new state.

        Raises:
          ValueError: if the depth is unknown.
        """
        check_float_inputs(inputs, state)
        if self._state_is_tuple:
            c, h = state
        else:
            c = slice_of(state, [0, 0], [-1, self._num_units])
            outputs = self._num_units if self._num_proj is None else self._num_proj
            h = slice_of(state, [0, self._num_units], [-1, outputs])
        if inputs.shape.with_rank(2).as_list()[1] is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        gates = bias_add(matmul(concat([inputs, h], 1), self._kernel), self._bias)
        i, j, f, o = split(value=gates, num_or_size_splits=4, axis=1)
        c = self._remembered(i, j, f, c)
        seen = o + self._w_o_diag * c if self._use_peepholes else o
        h = self._projected(sigmoid(seen) * self._activation(c))
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else concat([c, h], 1)

    def _remembered(self, i: Any, j: Any, f: Any, c: Any) -> Any:
        f = f + self._forget_bias
        if self._use_peepholes:
            kept = sigmoid(f + self._w_f_diag * c) * c
            c = kept + sigmoid(i + self._w_i_diag * c) * self._activation(j)
        else:
            c = sigmoid(f) * c + sigmoid(i) * self._activation(j)
        return c if self._cell_clip is None else clip_by_value(c, -self._cell_clip, self._cell_clip)

    def _projected(self, h: Any) -> Any:
        if self._num_proj is None:
            return h
        h = matmul(h, self._proj_kernel)
        return h if self._proj_clip is None else clip_by_value(h, -self._proj_clip, self._proj_clip)


def _parts(shards: int | None) -> Any:
    return None if shards is None else fixed_size_partitioner(shards)


def _warn_of_shards(cell: Any) -> None:
    from tinytf._src.framework.logs import tf_logging

    tf_logging.warn(
        f"{cell}: The num_unit_shards and proj_unit_shards parameters are deprecated and will be removed in Jan 2017.  Use a "
        "variable scope with a partitioner instead."
    )
