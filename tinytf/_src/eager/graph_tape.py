"""`GraphTape`: the part of a GradientTape that records operations added to graphs."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_like import is_graph_tensor
from tinytf._src.gradients.captured import seen_from_outside
from tinytf._src.gradients.gradients_impl import gradients_for_tape
from tinytf._src.gradients.trainable import is_trainable
from tinytf._src.ops.control_flow.cond_context import CondContext
from tinytf._src.ops.control_flow.context import is_constant_enter


class GraphTape:
    """Watched tensors, and the operations that were added to graphs during the recording.

    In function bodies a placeholder counts as the captured tensor, so that a tensor may be watched outside of a
    function that uses it; captured eager tensors are watched as they are.
    """

    __slots__ = ("_watched", "_periods", "_started")

    def __init__(self) -> None:
        self._watched: set[Any] = set()
        self._periods: list[tuple[Any, int, int]] = []  # (graph, index of the first operation, index past the last one)
        self._started: tuple[Any, int] | None = None

    def start(self) -> None:
        """Begins to record operations of the default graph."""
        if not executing_eagerly():
            graph = get_default_graph()
            self._started = graph, graph.version

    def stop(self) -> None:
        """Ends the recording."""
        if self._started is not None:
            graph, first = self._started
            self._periods.append((graph, first, graph.version))
            self._started = None

    def watch(self, tensor: Any) -> None:
        """Watches a tensor of a graph or an eager one."""
        self._watched.add(tensor)

    def gradients(self, targets: list[Tensor], sources: list[Any], output_gradients: list[Any] | None) -> list[Any]:
        """Like `tf.gradients`, through recorded operations that depend on a watched tensor only, and for targets of all
        types: without a gradient, one of strings has none, and bools and complex numbers have ones. None for sources that
        do not depend on a watched tensor or are not used by a recorded operation."""
        graph = targets[0].graph
        flowed, known, outside = self._recorded()
        usable = [source for source in sources if (source in flowed and source in known) or source in targets]
        if not usable:
            return [None] * len(sources)
        reached: list[Any] = []
        given: list[Any] = []
        for target, gradient in zip(targets, output_gradients or [None] * len(targets), strict=True):
            is_known = seen_from_outside(target, known) in known or target in usable
            if is_known and (gradient is not None or target.dtype is not dtypes.string):  # there are no ones of strings
                reached.append(target)
                given.append(gradient)
        with graph.as_default():
            found = gradients_for_tape(reached, usable, given, outside) if reached else [None] * len(usable)
        by_source = dict(zip(usable, found, strict=True))
        return [by_source.get(source) for source in sources]

    def _recorded(self) -> tuple[set[Any], set[Any], list[Tensor]]:
        """Returns (inputs of recorded operations, tensors that depend on watched ones, inputs from unrecorded
        operations)."""
        known = set(self._watched)
        flowed: set[Any] = set()
        made: set[Any] = set()
        periods = self._periods + ([(*self._started, self._started[0].version)] if self._started else [])
        waiting = [op for graph, first, last in periods for op in graph._nodes.ops[first:last]]
        while True:
            rest = []
            for op in waiting:
                inputs = [_known_as(tensor, known, op._spec.calls_function) for tensor in op.inputs]
                if any(tensor in known and is_trainable(tensor) for tensor in inputs):
                    made.add(op)
                    flowed.update(inputs)
                    known.update(op.outputs)
                else:
                    rest.append(op)
            if len(rest) == len(waiting):
                break
            waiting = rest  # in control flow, operations may depend on later ones
        return (
            flowed,
            known,
            [tensor for tensor in flowed if is_graph_tensor(tensor) and tensor.op not in made],
        )


def _known_as(tensor: Tensor, known: set[Any], is_of_call: bool) -> Any:
    """Like `seen_from_outside`; additionally follows a tensor to its watched original through operations that may have
    been added before the recording: through the Switches of conditionals and, if it is an input of a function call,
    through the loop-invariant Enters of loops. As in TensorFlow, a call is recorded with the tensors that were passed
    or captured, other operations with the inputs that they got in the loop.
    """
    led: Any = tensor
    while led not in known and is_graph_tensor(led):
        op = led.op
        is_switch = op._spec.control_flow == "switch" and isinstance(op._get_control_flow_context(), CondContext)
        if not is_switch and not (is_of_call and is_constant_enter(op)):
            break
        led = seen_from_outside(op.inputs[0], known)
    return led if led in known else seen_from_outside(tensor, known)
