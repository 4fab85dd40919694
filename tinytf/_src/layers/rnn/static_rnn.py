"""`tf.nn.static_rnn`: a recurrent network that is unrolled in the graph, optionally with saved states."""

from __future__ import annotations

import functools
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.nest import nest
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.layers.rnn.rnn_cell import assert_like_rnncell
from tinytf._src.layers.rnn.rnn_cell import initial_state as first_state
from tinytf._src.layers.rnn.sizes import common_dtype, joined_known_shape, joined_shape
from tinytf._src.layers.rnn.step import Lengths, net_scope
from tinytf._src.ops.array.constant_tensors import zeros
from tinytf._src.ops.array.joining import stack
from tinytf._src.ops.array.shape_ops import shape
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.reductions import reduce_max, reduce_min


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
    """Unrolls an RNN cell over a list of inputs.

    Args:
      cell: RNNCell.
      inputs: list of tensors of shape [batch, ...], or of structures of them, one per step. All dimensions but the
        first must be known.
      initial_state: optional initial state in the structure of `cell.state_size`; defaults to zeros.
      dtype: dtype of states and outputs; required if `initial_state` is None.
      sequence_length: optional integer vector with the length of each sequence of the batch. Beyond it outputs are
        zeros and the state does not change; steps beyond the longest are not run.
      scope: variable scope; defaults to "rnn".

    Returns:
      `(outputs, state)`: a list with the output of each step, and the final state.

    Raises:
      TypeError: if `cell` is not an RNNCell, or `inputs` is not a sequence.
      ValueError: if `inputs` is empty, if shapes do not match, or if both `initial_state` and `dtype` are missing.
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
    """Raises TypeError if the inputs are not a structure, and ValueError if they are empty."""
    if not nest.is_nested(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")


def _known_batch(first: Any, inputs: Any) -> int | None:
    """Returns the static batch size, or None if unknown. Raises ValueError if another dimension is unknown."""
    if first.shape.ndims == 1:  # One number per sequence.
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
    """Unrolls an RNN cell as `static_rnn` does, starting from a saved state and saving the final one.

    Args:
      state_saver: object with `state(name)`, which returns a tensor, and `save_state(name, value)`, which returns an
        operation; the last output and the final state depend on that operation.
      state_name: str, or a tuple with one name per part of `cell.state_size`.
      cell, inputs, sequence_length, scope: as in `static_rnn`.

    Returns:
      `(outputs, state)` as in `static_rnn`.

    Raises:
      ValueError: if the structure or number of names does not match `cell.state_size`.
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
