"""One time step for sequences of different lengths, and the variable scope of recurrent networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.nest import nest
from tinytf._src.framework.scopes.name_scope import colocate_with
from tinytf._src.ops.array.gathering import where
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.control_flow.tensor_arrays import is_tensor_array
from tinytf._src.variables.scope import variable_scope
from tinytf._src.variables.scope_defaults import VariableScope


@contextmanager
def net_scope(scope: Any) -> Iterator[VariableScope]:
    """Opens the variable scope of a network.

    Variables are cached on the device of their consumers, but not inside a while loop, which may change them.
    """
    with variable_scope(scope or "rnn") as opened:
        if not executing_eagerly():
            context = get_default_graph()._get_control_flow_context()
            in_loop = context is not None and context.GetWhileContext() is not None
            if not in_loop and opened.caching_device is None:
                opened.set_caching_device(lambda op: op.device)
        yield opened


def pass_ended(ended: Any, old: Any, new: Any) -> Any:
    """Returns old values for ended sequences and new values for the others; TensorArrays and scalars are always new."""

    def choose(old: Any, new: Any) -> Any:
        if is_tensor_array(old) or old.shape.ndims == 0:
            return new
        with colocate_with(new):
            return where(ended, old, new)

    return nest.map_structure(choose, old, new)


class Lengths:
    """The lengths of the sequences of a batch. A step yields zeros and the old state for ended sequences."""

    def __init__(self, lengths: Any, shortest: Any, longest: Any, zero_output: Any) -> None:
        self.lengths = lengths
        self.shortest = shortest
        self.longest = longest
        self.zero_output = zero_output

    def step(self, time: Any, state: Any, call_cell: Callable[[], Any], conditional: bool) -> tuple[Any, Any]:
        """Returns the output and the next state at `time`. A conditional step runs the cell only while a sequence is
        active.
        """
        zeros, old = nest.flatten(self.zero_output), nest.flatten(state)
        ended = time >= self.lengths

        def run() -> tuple[list[Any], list[Any]]:
            output, new_state = call_cell()
            nest.assert_same_structure(self.zero_output, output)
            nest.assert_same_structure(state, new_state)
            return nest.flatten(output), nest.flatten(new_state)

        def choose(outputs: list[Any], states: list[Any]) -> list[Any]:
            return pass_ended(ended, zeros, outputs) + pass_ended(ended, old, states)

        def run_and_choose() -> Any:
            outputs, states = run()
            return cond(time < self.shortest, lambda: outputs + states, lambda: choose(outputs, states))

        if conditional:
            results = cond(time >= self.longest, lambda: zeros + old, run_and_choose)
        else:
            results = choose(*run())
        outputs, states = results[: len(zeros)], results[len(zeros) :]
        for result, like in zip(outputs, zeros, strict=True):
            result.set_shape(like.shape)
        for result, like in zip(states, old, strict=True):
            if not is_tensor_array(result):
                result.set_shape(like.shape)
        return nest.pack_sequence_as(self.zero_output, outputs), nest.pack_sequence_as(state, states)
