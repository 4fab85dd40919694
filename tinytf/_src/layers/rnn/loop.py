"""The loop over time of `tf.nn.dynamic_rnn`."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.nest import nest
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.layers.rnn.sizes import (
    best_effort_input_batch_size,
    common_dtype,
    joined_known_shape,
    joined_shape,
    shape_of_size,
)
from tinytf._src.layers.rnn.step import Lengths
from tinytf._src.ops.array.constant_tensors import zeros
from tinytf._src.ops.array.joining import stack
from tinytf._src.ops.array.shape_ops import shape
from tinytf._src.ops.control_flow.loops import while_loop
from tinytf._src.ops.data_flow.tensor_array_ops import TensorArray
from tinytf._src.ops.math.reductions import reduce_max, reduce_min


def run_over_time(
    cell: Any,
    inputs: Any,
    state: Any,
    parallel_iterations: int,
    swap_memory: bool,
    sequence_length: Any,
    dtype: Any,
) -> tuple[Any, Any]:
    """Runs a cell over inputs of shape [time, batch, ...]. Returns outputs of that layout and the final state."""
    flat_input = nest.flatten(inputs)
    sizes = nest.flatten(cell.output_size)
    time_steps = shape(flat_input[0])[0]
    batch_size = best_effort_input_batch_size(flat_input)
    known_steps, known_batch = _checked_shapes(flat_input)
    dtype = common_dtype(dtype, state)
    zero_outputs = [zeros(stack(joined_shape(batch_size, size)), dtype) for size in sizes]
    lengths = None
    longest = time_steps
    if sequence_length is not None:
        shortest, longest = reduce_min(sequence_length), reduce_max(sequence_length)
        zero_output = nest.pack_sequence_as(cell.output_size, zero_outputs)
        lengths = Lengths(sequence_length, shortest, longest, zero_output)
    time = constant(0, dtype=dtypes.int32, name="time")
    with name_scope("dynamic_rnn") as base_name:
        pass
    arrays = _EagerArrays if executing_eagerly() else _Arrays
    series = arrays(flat_input, sizes, dtype, time_steps, known_batch, base_name)

    def step(time: Any, outputs: Any, state: Any) -> Any:
        taken = nest.pack_sequence_as(inputs, series.read(time))
        if lengths is None:
            output, state = cell(taken, state)
        else:
            output, state = lengths.step(time, state, lambda: cell(taken, state), conditional=False)
        outputs = series.write(outputs, time, nest.flatten(output))
        return time + 1, outputs, state

    bound = series.bound(longest)
    _, outputs, state = while_loop(
        cond=lambda time, *_: time < bound,
        body=step,
        loop_vars=(time, series.outputs, state),
        parallel_iterations=parallel_iterations,
        maximum_iterations=time_steps,
        swap_memory=swap_memory,
    )
    results = series.stacked(outputs)
    if not executing_eagerly():
        for result, size in zip(results, sizes, strict=True):
            result.set_shape(joined_known_shape([known_steps, known_batch], size))
    return nest.pack_sequence_as(cell.output_size, results), state


def _checked_shapes(flat_input: Any) -> tuple[int | None, int | None]:
    """Returns the static numbers of steps and of sequences, or None where unknown.

    Raises ValueError if they differ between inputs or if another dimension is unknown.
    """
    shapes = [tensor.shape.with_rank_at_least(3) for tensor in flat_input]
    steps, batch = shapes[0].as_list()[:2]
    for known in shapes:
        if not known[2:].is_fully_defined():
            raise ValueError("Input size (depth of inputs) must be accessible via shape inference, but saw value None.")
        if known.as_list()[0] != steps:
            raise ValueError("Time steps is not the same for all the elements in the input in a batch.")
        if known.as_list()[1] != batch:
            raise ValueError("Batch_size is not the same for all the elements in the input.")
    return steps, batch


class _Arrays:
    """Inputs and outputs of the loop in graph mode, held in TensorArrays."""

    def __init__(
        self, flat_input: Any, sizes: Any, dtype: Any, time_steps: Any, batch_size: int | None, base_name: str
    ) -> None:
        self._steps = time_steps
        self.outputs = tuple(
            TensorArray(
                dtype=dtype,
                size=time_steps,
                element_shape=TensorShape([batch_size]).concatenate(shape_of_size(size)),
                tensor_array_name=f"{base_name}output_{i}",
            )
            for i, size in enumerate(sizes)
        )
        made = [
            TensorArray(
                dtype=tensor.dtype,
                size=time_steps,
                element_shape=tensor.shape[1:],
                tensor_array_name=f"{base_name}input_{i}",
            )
            for i, tensor in enumerate(flat_input)
        ]
        self._inputs = [array.unstack(tensor) for array, tensor in zip(made, flat_input, strict=True)]
        self._shapes = [tensor.shape[1:] for tensor in flat_input]

    def read(self, time: Any) -> list[Any]:
        taken = [array.read(time) for array in self._inputs]
        for tensor, known in zip(taken, self._shapes, strict=True):
            tensor.set_shape(known)
        return taken

    def write(self, outputs: Any, time: Any, values: list[Any]) -> Any:
        return tuple(array.write(time, value) for array, value in zip(outputs, values, strict=False))

    def bound(self, longest: Any) -> Any:
        """Returns the number of steps to run: at least one, if there are any, because the arrays learn the output
        shapes from it.
        """
        return gen_ops.minimum(self._steps, gen_ops.maximum(1, longest))

    def stacked(self, outputs: Any) -> list[Any]:
        return [array.stack() for array in outputs]


class _EagerArrays:
    """The same interface for eager execution, with tensors as inputs and lists as outputs."""

    def __init__(
        self, flat_input: Any, sizes: Any, dtype: Any, time_steps: Any, batch_size: int | None, base_name: str
    ) -> None:
        self._steps = time_steps
        self.outputs: Any = ()  # No loop variables are needed for the outputs.
        self._inputs = flat_input
        self._lists: list[list[Any]] = [[] for _ in sizes]

    def read(self, time: Any) -> list[Any]:
        return [tensor[int(time)] for tensor in self._inputs]

    def write(self, outputs: Any, time: Any, values: list[Any]) -> Any:
        for values_of_output, value in zip(self._lists, values, strict=True):
            values_of_output.append(value)
        return outputs

    def bound(self, longest: Any) -> Any:
        return self._steps

    def stacked(self, outputs: Any) -> list[Any]:
        return [stack(values) for values in self._lists]
