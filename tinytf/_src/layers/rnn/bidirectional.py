"""Recurrent networks that run over sequences in both directions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.nest import nest
from tinytf._src.framework.values.tensor_shape import unknown_shape
from tinytf._src.layers.rnn.dynamic_rnn import dynamic_rnn
from tinytf._src.layers.rnn.rnn_cell import assert_like_rnncell
from tinytf._src.layers.rnn.static_rnn import check_list, static_rnn
from tinytf._src.ops.array.joining import concat, stack, unstack
from tinytf._src.ops.array.sequences import reverse_sequence
from tinytf._src.variables.scope import variable_scope


@tf_export("nn.bidirectional_dynamic_rnn")
@called_by_users
def bidirectional_dynamic_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[Any, Any]:
    """Runs one cell forward and another cell backward over sequences, each as `dynamic_rnn` does.

    Args:
      cell_fw: RNNCell of the forward direction.
      cell_bw: RNNCell of the backward direction.
      initial_state_fw: optional initial state of `cell_fw`; defaults to zeros.
      initial_state_bw: optional initial state of `cell_bw`; defaults to zeros.
      scope: variable scope; defaults to "bidirectional_rnn". It contains the scopes "fw" and "bw".
      inputs, sequence_length, dtype, parallel_iterations, swap_memory, time_major: as in `dynamic_rnn`.

    Returns:
      `((output_fw, output_bw), (state_fw, state_bw))`: the outputs of both directions in the time order of the inputs,
        and the final states.

    Raises:
      TypeError: if a cell is not an RNNCell.
    """
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    options: dict[str, Any] = {
        "sequence_length": sequence_length,
        "dtype": dtype,
        "parallel_iterations": parallel_iterations,
        "swap_memory": swap_memory,
        "time_major": time_major,
    }
    time_axis = 0 if time_major else 1

    def reverse(tensor: Any) -> Any:
        if sequence_length is None:
            return gen_ops.reverse_v2(tensor, axis=[time_axis])
        return reverse_sequence(input=tensor, seq_lengths=sequence_length, seq_axis=time_axis, batch_axis=1 - time_axis)

    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw_scope:
            output_fw, state_fw = dynamic_rnn(
                cell_fw, inputs, initial_state=initial_state_fw, scope=fw_scope, **options
            )
        with variable_scope("bw") as bw_scope:
            output_bw, state_bw = dynamic_rnn(
                cell_bw,
                nest.map_structure(reverse, inputs),
                initial_state=initial_state_bw,
                scope=bw_scope,
                **options,
            )
    return (output_fw, reverse(output_bw)), (state_fw, state_bw)


@tf_export("nn.static_bidirectional_rnn")
@called_by_users
def static_bidirectional_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any, Any]:
    """Runs one cell forward and another cell backward over a list of inputs, each as `static_rnn` does.

    Args:
      cell_fw: RNNCell of the forward direction.
      cell_bw: RNNCell of the backward direction.
      initial_state_fw: optional initial state of `cell_fw`; defaults to zeros.
      initial_state_bw: optional initial state of `cell_bw`; defaults to zeros.
      scope: variable scope; defaults to "bidirectional_rnn". It contains the scopes "fw" and "bw".
      inputs, dtype, sequence_length: as in `static_rnn`.

    Returns:
      `(outputs, state_fw, state_bw)`: a list with the outputs of both directions concatenated along axis 1 for each
        step, and the final states.

    Raises:
      TypeError: if a cell is not an RNNCell, or `inputs` is not a sequence.
      ValueError: if `inputs` is empty.
    """
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    check_list(inputs)
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw_scope:
            forward, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, sequence_length, scope=fw_scope)
        with variable_scope("bw") as bw_scope:
            inputs = _reversed_steps(inputs, sequence_length)
            backward, state_bw = static_rnn(cell_bw, inputs, initial_state_bw, dtype, sequence_length, scope=bw_scope)
    backward = _reversed_steps(backward, sequence_length)
    pairs = zip(nest.flatten(forward), nest.flatten(backward), strict=True)
    outputs = [concat([one, other], 1) for one, other in pairs]
    return nest.pack_sequence_as(forward, outputs), state_fw, state_bw


def _reversed_steps(steps: Sequence[Any], lengths: Any) -> list[Any]:
    """Reverses each sequence within its length; steps beyond the length keep their position."""
    if lengths is None:
        return list(reversed(steps))
    flat_steps = [nest.flatten(step) for step in steps]
    results: list[list[Any]] = [[] for _ in steps]
    for series in zip(*flat_steps, strict=True):
        common = unknown_shape(rank=series[0].shape.ndims)
        for tensor in series:
            common.merge_with(tensor.shape)
            tensor.set_shape(common)
        for result, tensor in zip(
            results, unstack(reverse_sequence(stack(series), lengths, seq_axis=0, batch_axis=1)), strict=True
        ):
            tensor.set_shape(common)
            result.append(tensor)
    return [nest.pack_sequence_as(step, result) for step, result in zip(steps, results, strict=True)]
