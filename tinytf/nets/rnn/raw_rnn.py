"""`tf.nn.raw_rnn`: a loop whose inputs, outputs and end a function decides on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes, nest
from tinytf.framework.constant_op import constant
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.tensor_shape import TensorShape, dimension_at_index
from tinytf.nets.rnn.rnn_cell import assert_like_rnncell
from tinytf.nets.rnn.sizes import joined_shape, shape_of_size
from tinytf.nets.rnn.step import net_scope, pass_ended
from tinytf.ops.array.filling import zeros
from tinytf.ops.array.shape_ops import shape
from tinytf.ops.control_flow.loops import while_loop
from tinytf.ops.data_flow.tensor_array_ops import TensorArray
from tinytf.ops.math.reductions import reduce_all

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
    """Runs a cell in a loop, with what `loop_fn` gives it, until `loop_fn` says that all sequences have ended.

    Args:
      cell: an RNNCell.
      loop_fn: a function `(time, cell_output, cell_state, loop_state)` that returns
        `(finished, next_input, next_cell_state, emit_output, next_loop_state)`: a bool for each sequence, whether it has
        ended; input and state of the next step; what is kept of this step; and what the next call gets as `loop_state`, a
        structure of tensors and TensorArrays, or None if it is to stay as it is. It is first called with time 0 and None,
        and returns the states to begin with, and as `emit_output` an example without the first dimension of what is to be
        kept, or None, if that is like `cell.output_size`.
      parallel_iterations: how many steps may run at a time (32).
      swap_memory: whether what gradients need may be kept elsewhere than where it was computed.
      scope: the variable scope, "rnn" by default.

    Returns `(outputs, state, loop state)`, the last states, and outputs in TensorArrays: zeros for sequences that have ended,
    whose states stay what they are.

    TypeError for what is no cell or no function; ValueError for shapes and structures that do not fit.
    """
    assert_like_rnncell("cell", cell)
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    with net_scope(scope):
        time = constant(0, dtype=dtypes.int32)
        finished, inputs, state, emitted, first_loop_state = loop_fn(time, None, None, None)
        flat_input = nest.flatten(inputs)
        # The loop has the variable in any case.
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
    """How many sequences there are, if it is known. ValueError if inputs differ in that."""
    batch = dimension_at_index(flat_input[0].shape, 0)
    for tensor in flat_input:
        batch.merge_with(dimension_at_index(tensor.shape, 0))
    return batch.value


def _outputs(cell: Any, emitted: Any, state: Any, known_batch: int | None, batch_size: Any) -> tuple[Any, Any]:
    """Arrays for what is kept, and zeros to keep, in the structure of the example."""
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
