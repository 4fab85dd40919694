"""`tf.nn.dynamic_rnn`: a recurrent network that runs over the time dimension of a tensor in a while loop."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.layers.rnn.loop import run_over_time
from tinytf._src.layers.rnn.rnn_cell import assert_like_rnncell
from tinytf._src.layers.rnn.rnn_cell import initial_state as first_state
from tinytf._src.layers.rnn.sizes import best_effort_input_batch_size
from tinytf._src.layers.rnn.step import net_scope
from tinytf._src.ops.array.joining import concat, stack
from tinytf._src.ops.array.shape_ops import rank, shape
from tinytf._src.ops.array.transposition import transpose
from tinytf._src.ops.control_flow.assertions import Assert
from tinytf._src.ops.math.arithmetic import equal
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.ranges import range as range_of
from tinytf._src.ops.math.reductions import reduce_all

_PARALLEL_ITERATIONS = 32


@tf_export("nn.dynamic_rnn")
@called_by_users
def dynamic_rnn(
    cell: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[Any, Any]:
    """Runs an RNN cell over sequences in a while loop.

    Args:
      cell: RNNCell.
      inputs: tensor of shape [batch, time, ...], or a structure of such tensors. All dimensions but the first two must
        be known.
      sequence_length: optional integer vector with the length of each sequence of the batch. Beyond it outputs are
        zeros and the state does not change. By default all sequences have the full length.
      initial_state: optional initial state in the structure of `cell.state_size`; defaults to zeros.
      dtype: dtype of states and outputs; required if `initial_state` is None.
      parallel_iterations: int, how many iterations may run in parallel; defaults to 32.
      swap_memory: bool, passed to `tf.while_loop`.
      time_major: bool, whether inputs and outputs have shape [time, batch, ...].
      scope: variable scope; defaults to "rnn".

    Returns:
      `(outputs, state)`: the outputs of all steps, of shape [batch, time, ...] or [time, batch, ...], in the structure
        of `cell.output_size`, and the final state.

    Raises:
      TypeError: if `cell` is not an RNNCell.
      ValueError: if shapes do not match, or if both `initial_state` and `dtype` are missing.

    Example:
      cell = tf.nn.rnn_cell.LSTMCell(64)
      outputs, state = tf.nn.dynamic_rnn(cell, inputs, dtype=tf.float32)
    """
    assert_like_rnncell("cell", cell)
    with net_scope(scope):
        flat = [convert_to_tensor(tensor) for tensor in nest.flatten(inputs)]
        if not time_major:
            flat = [transpose_batch_time(tensor) for tensor in flat]
        if sequence_length is not None:
            sequence_length = cast(sequence_length, dtypes.int32)
            if sequence_length.shape.ndims not in (None, 1):
                raise ValueError(
                    f"sequence_length must be a vector of length batch_size, but saw shape: {sequence_length.shape}"
                )
            sequence_length = gen_ops.identity(sequence_length, name="sequence_length")
        batch_size = best_effort_input_batch_size(flat)
        if initial_state is None:
            if not dtype:
                raise ValueError("If there is no initial_state, you must give a dtype.")
            initial_state = first_state(cell, batch_size, dtype)
        if sequence_length is not None and not executing_eagerly():
            sequence_length = _checked_lengths(sequence_length, batch_size)
        outputs, state = run_over_time(
            cell,
            nest.pack_sequence_as(inputs, flat),
            initial_state,
            parallel_iterations or _PARALLEL_ITERATIONS,
            swap_memory,
            sequence_length,
            dtype,
        )
        if not time_major:
            outputs = nest.map_structure(transpose_batch_time, outputs)
        return outputs, state


def transpose_batch_time(x: Any) -> Tensor:
    """Swaps the first two dimensions of a tensor; returns a tensor of lower rank unchanged."""
    known = x.shape
    if known.ndims is not None and known.ndims < 2:
        return x
    result = transpose(x, concat(([1, 0], range_of(2, rank(x))), axis=0))
    batch, time = known.dims[:2]
    result.set_shape(TensorShape([time, batch]).concatenate(known[2:]))
    return result


def _checked_lengths(lengths: Tensor, batch_size: Any) -> Tensor:
    """Returns the lengths, with a runtime check that there is one per sequence."""
    given, wanted = shape(lengths), stack([batch_size])
    told = [f"Expected shape for Tensor {lengths.name} is ", wanted, " but saw shape: ", given]
    with control_dependencies([Assert(reduce_all(equal(given, wanted)), told)]):
        return gen_ops.identity(lengths, name="CheckSeqLen")
