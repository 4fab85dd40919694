"""`AttentionCellWrapper`: a cell with attention to its last outputs."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.contrib.rnn.linear import Linear
from tinytf.python.ops.rnn_cell_impl import RNNCell, assert_like_rnncell


class AttentionCellWrapper(RNNCell):
    """Wraps a cell; its input is combined with an attention-weighted mean of the last outputs
    (https://arxiv.org/abs/1601.06733).

    Args:
      cell: the wrapped cell.
      attn_length: int, number of last outputs.
      attn_size: int, size of the output; the output size of `cell` if None.
      attn_vec_size: int, size of the space in which state and outputs are compared; `attn_size` if None.
      input_size: int, size of the wrapped cell's input; the size of the inputs if None.
      state_is_tuple: bool, whether the state is a tuple instead of one tensor.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.

    Raises:
      ValueError: if `attn_length` is not positive, or the cell's state is a sequence and `state_is_tuple` is False.
    """

    def __init__(
        self,
        cell: Any,
        attn_length: int,
        attn_size: int | None = None,
        attn_vec_size: int | None = None,
        input_size: int | None = None,
        state_is_tuple: bool = True,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if tf.contrib.framework.nest.is_sequence(cell.state_size) and not state_is_tuple:
            raise ValueError(
                "Cell returns tuple of states, but the flag state_is_tuple is not set. State size is: "
                f"{cell.state_size}"
            )
        if attn_length <= 0:
            raise ValueError(f"attn_length should be greater than zero, got {attn_length}")
        if not state_is_tuple:
            tf.logging.warn(
                f"{self}: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True."
            )
        self._cell = cell
        self._length = attn_length
        self._size = cell.output_size if attn_size is None else attn_size
        self._vec_size = self._size if attn_vec_size is None else attn_vec_size
        self._input_size = input_size
        self._state_is_tuple = state_is_tuple
        self._linear: dict[str, Linear] = {}

    @property
    def state_size(self) -> Any:
        """The sizes of the cell's state, of the last mean and of the last outputs, or their sum."""
        sizes = self._cell.state_size, self._size, self._size * self._length
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> int:
        """The size of the output."""
        return self._size

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step."""
        state, mean, outputs = state if self._state_is_tuple else self._parts(state)
        outputs = tf.reshape(outputs, [-1, self._length, self._size])
        size = inputs.shape.as_list()[1] if self._input_size is None else self._input_size
        output, state = self._cell(self._projected("inputs", [inputs, mean], size), state)
        seen = tf.concat(tf.nest.flatten(state), 1) if self._state_is_tuple else state
        mean, outputs = self._attention(seen, outputs)
        with tf.variable_scope("attn_output_projection"):
            output = self._projected("output", [output, mean], self._size)
        outputs = tf.concat([outputs, tf.expand_dims(output, 1)], 1)
        outputs = tf.reshape(outputs, [-1, self._length * self._size])
        new_state = (state, mean, outputs)
        return output, new_state if self._state_is_tuple else tf.concat(list(new_state), 1)

    def _parts(self, state: Any) -> list[Any]:
        begin, parts = 0, []
        for size in (self._cell.state_size, self._size, self._size * self._length):
            parts.append(tf.slice(state, [0, begin], [-1, size]))
            begin += size
        return parts

    def _projected(self, name: str, args: Any, size: int) -> Any:
        if name not in self._linear:
            self._linear[name] = Linear(args, size)
        return self._linear[name](args)

    def _attention(self, query: Any, outputs: Any) -> tuple[Any, Any]:
        """Returns the weighted mean of the last outputs, and the last outputs without the oldest one."""
        with tf.variable_scope("attention"):
            kernel = tf.get_variable("attn_w", [1, 1, self._size, self._vec_size])
            vector = tf.get_variable("attn_v", [self._vec_size])
            hidden = tf.reshape(outputs, [-1, self._length, 1, self._size])
            features = tf.nn.conv2d(hidden, kernel, [1, 1, 1, 1], "SAME")
            wanted = tf.reshape(self._projected("query", query, self._vec_size), [-1, 1, 1, self._vec_size])
            scores = tf.nn.softmax(tf.reduce_sum(vector * tf.tanh(features + wanted), [2, 3]))
            mean = tf.reduce_sum(tf.reshape(scores, [-1, self._length, 1, 1]) * hidden, [1, 2])
            return tf.reshape(mean, [-1, self._size]), tf.slice(outputs, [0, 1, 0], [-1, -1, -1])
