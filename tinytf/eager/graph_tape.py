"""`GraphTape`: what a GradientTape makes of operations that are added to a graph while it records."""

from __future__ import annotations

from typing import Any

from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_like import is_graph_tensor
from tinytf.gradients.captured import seen_from_outside
from tinytf.gradients.gradients_impl import gradients
from tinytf.gradients.trainable import is_trainable
from tinytf.ops.control_flow.cond_context import CondContext


class GraphTape:
    """Watched tensors, and which operations were added to graphs while the tape recorded.

    In functions' bodies a placeholder counts as the tensor that it stands for, so that a tensor may be watched outside of a
    function that uses it; eager tensors that a function captures are watched as they are.
    """

    __slots__ = ("_watched", "_periods", "_started")

    def __init__(self) -> None:
        self._watched: set[Any] = set()
        self._periods: list[tuple[Any, int, int]] = []  # graph, and the first and one past the last operation
        self._started: tuple[Any, int] | None = None

    def start(self) -> None:
        """Counts operations of the default graph from here on."""
        if not executing_eagerly():
            graph = get_default_graph()
            self._started = graph, graph.version

    def stop(self) -> None:
        """Counts no longer."""
        if self._started is not None:
            graph, first = self._started
            self._periods.append((graph, first, graph.version))
            self._started = None

    def watch(self, tensor: Any) -> None:
        """Derivatives flow from the tensor, which may be an eager one."""
        self._watched.add(tensor)

    def gradients(self, targets: list[Tensor], sources: list[Any], output_gradients: list[Any] | None) -> list[Any]:
        """As of `tf.gradients`, but only through operations that were recorded: those added while the tape recorded that
        depend on a watched tensor. None for sources that do not depend on one, or did not flow through one."""
        graph = targets[0].graph
        flowed, known, outside = self._recorded()
        usable = [source for source in sources if (source in flowed and source in known) or source in targets]
        if not usable:
            return [None] * len(sources)
        reached = [target for target in targets if seen_from_outside(target, known) in known or target in usable]
        kept = {target: i for i, target in enumerate(targets)}
        given = None if output_gradients is None else [output_gradients[kept[target]] for target in reached]
        with graph.as_default():
            found = gradients(reached, usable, given, stop_gradients=outside) if reached else [None] * len(usable)
        by_source = dict(zip(usable, found, strict=True))
        return [by_source.get(source) for source in sources]

    def _recorded(self) -> tuple[set[Any], set[Any], list[Tensor]]:
        """(inputs of recorded operations, tensors that depend on watched ones, inputs that no recorded operation made)."""
        known = set(self._watched)
        flowed: set[Any] = set()
        made: set[Any] = set()
        periods = self._periods + ([(*self._started, self._started[0].version)] if self._started else [])
        waiting = [op for graph, first, last in periods for op in graph._nodes.ops[first:last]]
        while True:
            rest = []
            for op in waiting:
                inputs = [_known_as(tensor, known) for tensor in op.inputs]
                if any(tensor in known and is_trainable(tensor) for tensor in inputs):
                    made.add(op)
                    flowed.update(inputs)
                    known.update(op.outputs)
                else:
                    rest.append(op)
            if len(rest) == len(waiting):
                break
            waiting = rest  # in branches and loops operations may depend on later ones
        return (
            flowed,
            known,
            [tensor for tensor in flowed if is_graph_tensor(tensor) and tensor.op not in made],
        )


def _known_as(tensor: Tensor, known: set[Any]) -> Any:
    """As `seen_from_outside`; of a tensor that a branch was led before the tape recorded, the one that was led there, if that is
    known."""
    led: Any = tensor
    while led not in known and is_graph_tensor(led):
        op = led.op
        if op._spec.control_flow != "switch" or not isinstance(op._get_control_flow_context(), CondContext):
            break
        led = seen_from_outside(op.inputs[0], known)
    return led if led in known else seen_from_outside(tensor, known)
