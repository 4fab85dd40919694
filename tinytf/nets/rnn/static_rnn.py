"""`tf.nn.static_rnn`: a net over a list of inputs, step by step in the graph; with states that are saved."""

from __future__ import annotations

import functools
from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes, nest
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.name_scope import control_dependencies
from tinytf.nets.rnn.rnn_cell import assert_like_rnncell
from tinytf.nets.rnn.rnn_cell import initial_state as first_state
from tinytf.nets.rnn.sizes import common_dtype, joined_known_shape, joined_shape
from tinytf.nets.rnn.step import Lengths, net_scope
from tinytf.ops.array.filling import zeros
from tinytf.ops.array.joining import stack
from tinytf.ops.array.shape_ops import shape
from tinytf.ops.math.casting import cast
from tinytf.ops.math.reductions import reduce_max, reduce_min


@tf_export("nn.static_rnn")
@called_by_users
def static_rnn(
    cell: Any,
    inputs: Any,
    initial_state: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """Runs a cell over a list of inputs: `(outputs, state)`, a list of outputs and the last state.

    Args:
      cell: an RNNCell.
      inputs: a list of tensors of shape [batch, ...], or of structures of such. All dimensions but the first must be known.
      initial_state: in the structure of `cell.state_size`; zeros by default.
      dtype: of the states and outputs; to be given without `initial_state`.
      sequence_length: an integer vector, a length for each sequence in the batch; behind it outputs are zeros, and the state
        stays what it is. Steps behind the longest are not run.
      scope: the variable scope, "rnn" by default.

    TypeError for what is no cell and inputs that are no list; ValueError for an empty one, for shapes that do not fit and
    where something that must be given is not.
    """
    assert_like_rnncell("cell", cell)
    check_list(inputs)
    with net_scope(scope) as opened:
        first = inputs
        while nest.is_nested(first):
            first = first[0]
        known_batch = _known_batch(first, inputs)
        batch_size = known_batch or shape(first)[0]
        state = initial_state
        if state is None:
            if not dtype:
                raise ValueError("If no initial_state is provided, dtype must be specified")
            state = first_state(cell, batch_size, dtype)
        lengths = None
        if sequence_length is not None:
            lengths = _lengths(cell, sequence_length, batch_size, known_batch, common_dtype(dtype, state))
        outputs = []
        for time, taken in enumerate(inputs):
            if time > 0:
                opened.reuse_variables()
            if lengths is None:
                output, state = cell(taken, state)
            else:
                run = functools.partial(cell, taken, state)
                output, state = lengths.step(time, state, run, conditional=True)
            outputs.append(output)
        return outputs, state


def check_list(inputs: Any) -> None:
    """TypeError for what is no structure, ValueError for an empty one."""
    if not nest.is_nested(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")


def _known_batch(first: Any, inputs: Any) -> int | None:
    """How many sequences there are, if it is known. ValueError unless the other dimensions are."""
    if first.shape.ndims == 1:  # numbers, one for each sequence
        return first.shape.as_list()[0]
    batch = first.shape.with_rank_at_least(2).dims[0]
    for tensor in nest.flatten(inputs):
        known = tensor.shape.with_rank_at_least(2)
        batch.merge_with(known.dims[0])
        for i, size in enumerate(known.as_list()[1:]):
            if size is None:
                raise ValueError(
                    f"Input size (dimension {i} of inputs) must be accessible via shape inference, but saw value None."
                )
    return batch.value


def _lengths(cell: Any, sequence_length: Any, batch_size: Any, known_batch: int | None, dtype: Any) -> Lengths:
    sequence_length = convert_to_tensor(sequence_length, name="sequence_length")
    if sequence_length.shape.ndims not in (None, 1):
        raise ValueError("sequence_length must be a vector of length batch_size")

    def zero_output(size: Any) -> Any:
        output = zeros(stack(joined_shape(batch_size, size)), dtype)
        output.set_shape(joined_known_shape(known_batch, size))
        return output

    zero_outputs = [zero_output(size) for size in nest.flatten(cell.output_size)]
    sequence_length = cast(sequence_length, dtypes.int32)
    shortest, longest = reduce_min(sequence_length), reduce_max(sequence_length)
    return Lengths(sequence_length, shortest, longest, nest.pack_sequence_as(cell.output_size, zero_outputs))


@tf_export("nn.static_state_saving_rnn")
@called_by_users
def static_state_saving_rnn(
    cell: Any, inputs: Any, state_saver: Any, state_name: Any, sequence_length: Any = None, scope: Any = None
) -> tuple[list[Any], Any]:
    """As static_rnn, for sequences that come in pieces: it begins with a saved state, and saves the last one.

    Args:
      state_saver: has `state(name)`, which returns a tensor, and `save_state(name, value)`, which returns an operation; the
        last output and the state wait for it.
      state_name: a name, or as many in a tuple as `cell.state_size` has parts.
      Others: as in static_rnn.

    ValueError for names that are not like `cell.state_size`.
    """
    state_size = cell.state_size
    is_tuple = nest.is_nested(state_size)
    if is_tuple != nest.is_nested(state_name):
        raise ValueError(
            f"state_name should be the same type as cell.state_size.  state_name: {state_name}, "
            f"cell.state_size: {state_size}"
        )
    names = nest.flatten(state_name)
    count = len(nest.flatten(state_size))
    if len(names) != count:
        raise ValueError(f"#elems(state_name) != #elems(state_size): {len(names)} vs. {count}")
    saved = nest.pack_sequence_as(state_size, [state_saver.state(name) for name in names])
    outputs, state = static_rnn(cell, inputs, initial_state=saved, sequence_length=sequence_length, scope=scope)
    saves = [state_saver.save_state(name, part) for name, part in zip(names, nest.flatten(state), strict=True)]
    with control_dependencies(saves):
        outputs[-1] = nest.map_structure(lambda tensor: gen_ops.identity(tensor), outputs[-1])
        return outputs, nest.map_structure(lambda tensor: gen_ops.identity(tensor), state)
