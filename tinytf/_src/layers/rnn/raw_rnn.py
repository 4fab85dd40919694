"""`tf.nn.raw_rnn`: an RNN loop whose inputs, outputs and end are decided by a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.nest import nest
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape, dimension_at_index
from tinytf._src.layers.rnn.rnn_cell import assert_like_rnncell
from tinytf._src.layers.rnn.sizes import joined_shape, shape_of_size
from tinytf._src.layers.rnn.step import net_scope, pass_ended
from tinytf._src.ops.array.constant_tensors import zeros
from tinytf._src.ops.array.shape_ops import shape
from tinytf._src.ops.control_flow.loops import while_loop
from tinytf._src.ops.data_flow.tensor_array_ops import TensorArray
from tinytf._src.ops.math.reductions import reduce_all

_PARALLEL_ITERATIONS = 32


@tf_export("nn.raw_rnn")
@called_by_users
def raw_rnn(
    cell: Any,
    loop_fn: Callable[..., Any],
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    scope: Any = None,
) -> tuple[Any, Any, Any]:
    """Runs a cell in a while loop that a function controls: `loop_fn` supplies inputs and states and ends the loop.

    Args:
      cell: RNNCell.
      loop_fn: function `(time, cell_output, cell_state, loop_state)` that returns `(finished, next_input,
        next_cell_state, emit_output, next_loop_state)`. `finished` is a bool per sequence; `emit_output` is stored as
        the output of this step; `next_loop_state` is a structure of tensors and TensorArrays, or None to keep the old
        one. The first call has time 0 and None otherwise; it returns the initial states, and an example of the output
        without the batch dimension, or None for the structure of `cell.output_size`.
      parallel_iterations: int, how many iterations may run in parallel; defaults to 32.
      swap_memory: bool, passed to `tf.while_loop`.
      scope: variable scope; defaults to "rnn".

    Returns:
      `(outputs, state, loop_state)`: TensorArrays of outputs, the final state, and the final loop state. Outputs of
        finished sequences are zeros and their states do not change.

    Raises:
      TypeError: if `cell` is not an RNNCell or `loop_fn` is not callable.
      ValueError: if shapes or structures do not match.
    """
    assert_like_rnncell("cell", cell)
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    with net_scope(scope):
        time = constant(0, dtype=dtypes.int32)
        finished, inputs, state, emitted, first_loop_state = loop_fn(time, None, None, None)
        flat_input = nest.flatten(inputs)
        # The loop needs a loop variable even without a loop state.
        loop_state = constant(0, dtype=dtypes.int32) if first_loop_state is None else first_loop_state
        known_batch = _known_batch(flat_input)
        batch_size = shape(flat_input[0])[0] if known_batch is None else known_batch
        nest.assert_same_structure(state, cell.state_size)
        state = nest.map_structure(convert_to_tensor, state)
        outputs, zero_outputs = _outputs(cell, emitted, state, known_batch, batch_size)

        def step(time: Any, finished: Any, inputs: Any, outputs: Any, state: Any, loop_state: Any) -> Any:
            output, new_state = cell(inputs, state)
            nest.assert_same_structure(state, new_state)
            nest.assert_same_structure(cell.output_size, output)
            next_time = time + 1
            ended, next_inputs, new_state, output, new_loop_state = loop_fn(next_time, output, new_state, loop_state)
            nest.assert_same_structure(state, new_state)
            nest.assert_same_structure(inputs, next_inputs)
            nest.assert_same_structure(outputs, output)
            output = pass_ended(finished, zero_outputs, output)
            state = pass_ended(finished, state, new_state)
            outputs = nest.map_structure(lambda array, value: array.write(time, value), outputs, output)
            finished = gen_ops.logical_or(finished, ended)
            loop_state = loop_state if new_loop_state is None else new_loop_state
            return next_time, finished, next_inputs, outputs, state, loop_state

        *_, outputs, state, loop_state = while_loop(
            lambda _, finished, *__: gen_ops.logical_not(reduce_all(finished)),
            step,
            loop_vars=[time, finished, inputs, outputs, state, loop_state],
            parallel_iterations=parallel_iterations or _PARALLEL_ITERATIONS,
            swap_memory=swap_memory,
        )
        return outputs, state, None if first_loop_state is None else loop_state


def _known_batch(flat_input: list[Any]) -> int | None:
    """Returns the static batch size, or None if unknown. Raises ValueError if the inputs differ in it."""
    batch = dimension_at_index(flat_input[0].shape, 0)
    for tensor in flat_input:
        batch.merge_with(dimension_at_index(tensor.shape, 0))
    return batch.value


def _outputs(cell: Any, emitted: Any, state: Any, known_batch: int | None, batch_size: Any) -> tuple[Any, Any]:
    """Returns TensorArrays for the outputs and zeros for finished sequences, in the structure of the example."""
    if emitted is None:
        structure = cell.output_size
        sizes = nest.flatten(structure)
        types = [nest.flatten(state)[0].dtype] * len(sizes)
    else:
        structure, examples = emitted, nest.flatten(emitted)
        sizes = [each.shape if each.shape.is_fully_defined() else shape(each) for each in examples]
        types = [each.dtype for each in examples]
    arrays = [
        TensorArray(
            dtype=dtype,
            dynamic_size=True,
            element_shape=TensorShape([known_batch]).concatenate(shape_of_size(size)),
            size=0,
            name=f"rnn_output_{i}",
        )
        for i, (dtype, size) in enumerate(zip(types, sizes, strict=True))
    ]
    zero_outputs = [zeros(joined_shape(batch_size, size), dtype) for size, dtype in zip(sizes, types, strict=True)]
    return nest.pack_sequence_as(structure, arrays), nest.pack_sequence_as(structure, zero_outputs)
