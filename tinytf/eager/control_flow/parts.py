"""Parts of branches and loops: functions of a graph, which take tensors of graphs around as further arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tinytf import _core, protos
from tinytf.eager import calls
from tinytf.eager.func_graph import FuncGraph, stand_in
from tinytf.eager.graph_function import GraphFunction, GraphSession, NodeFunction
from tinytf.framework import nest
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.graph import Graph
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import TensorShape
from tinytf.framework.variable_watch import accessed_in_graph
from tinytf.ops.control_flow.tensor_arrays import with_flows

_Gradient = Callable[[Operation, Sequence[Any]], list[Any]]


def name_in(scope: str, kind: str) -> str:
    """A name for a function of the node whose name scope it is, which no other function has."""
    return calls.numbered(f"{scope}{kind}".replace("/", "_"))


def lowered(graph: Graph) -> AbstractContextManager[None]:
    """Nodes that are made in the scope are such that TensorFlow puts Switches and Merges, or a loop, in their place: their
    condition must be a scalar, and each keeps the state of its functions for itself."""
    return graph._attr_scope({"_lower_using_switch_merge": protos.AttrValue(b=True)})


def gradient_name(name: str) -> str:
    """A name for the function that goes back through one of this name."""
    return calls.numbered(f"{name}_grad")


class PartFunction(NodeFunction):
    """A function that is a part of nodes. Its name is the one that it has in libraries."""

    gradient_of_node: _Gradient
    _times_longer = 0

    def library_name(self) -> str:
        """Its name."""
        return self.name

    def sibling(
        self, name: str, inputs: list[Tensor], given: list[Tensor], outputs: list[Tensor], targets: list[Operation]
    ) -> GraphFunction:
        """Another function of the graph, of this name and a number."""
        return super().sibling(calls.numbered(name), inputs, given, outputs, targets)

    def longer(self, more: Sequence[Tensor], outputs: Sequence[Tensor]) -> PartFunction:
        """The same with more inputs and outputs."""
        inputs = [*self.inputs, *more]
        name = f"{self.name}_rewritten" + (f"_{self._times_longer}" if self._times_longer else "")
        self._times_longer += 1
        function = type(self)(name, self._session, inputs, [], [*self.outputs, *outputs], self._targets)
        function.gradient_of_node = self.gradient_of_node
        return function


class Part:
    """A function that is traced: `inputs` are placeholders, `outputs` what it yields, `result` that in its structure."""

    def __init__(
        self,
        graph: str | FuncGraph,
        inputs: Sequence[Tensor],
        shapes: Sequence[TensorShape],
        function: Callable[..., Any],
        named: int = 0,
        copies: bool | None = None,
    ) -> None:
        """In a graph of this name, or a given one, calls `function` with placeholders like `inputs`, of these shapes, the first
        `named` of them named after what makes the inputs; it returns (tensors, structure).

        With `copies` the outputs are copies of what it returns, as those of parts within functions are: TensorFlow has the
        copies wait for what must run.
        """
        around = get_default_graph()
        self.graph = FuncGraph(graph) if isinstance(graph, str) else graph
        self.graph._collections = around._collections  # with them the variable scopes that are open
        self.graph.copies_results = around.copies_results if copies is None else copies
        with self.building():
            self.inputs = [
                stand_in(t, t.op.name if i < named else "Placeholder", shape)
                for i, (t, shape) in enumerate(zip(inputs, shapes, strict=True))
            ]
            self.graph.inputs = list(self.inputs)
            try:
                _core.share_site()
                outputs, self.result = function(*self.inputs)
            finally:
                _core.unshare_site()
            take = self.graph.returned if self.graph.copies_results else self.graph.capture
            self.outputs: list[Tensor] = [take(tensor) for tensor in outputs]
            if self.graph.copies_results and self.result is not None:
                leaves = with_flows(nest.flatten(self.result, expand_composites=True), self.outputs)
                self.result = nest.pack_sequence_as(self.result, leaves, expand_composites=True)
        self.targets: list[Operation] = self.graph.note_order()
        for variable in self.graph.variables:
            accessed_in_graph(variable)

    @contextmanager
    def building(self) -> Iterator[None]:
        """What the body makes is the function's; tapes do not see it."""
        paused = _core.pause_tapes()
        try:
            with self.graph.as_default():
                yield
        finally:
            _core.resume_tapes(paused)

    def take(self, outer: Sequence[Any], unused: str | None = None) -> list[Tensor]:
        """The arguments that stand for tensors of graphs around. `unused` names those that it did not use itself."""
        return [self.graph._captured(tensor, unused) for tensor in outer]

    def as_function(self, inputs: Sequence[Tensor], outputs: Sequence[Tensor], gradient: _Gradient) -> PartFunction:
        """The function of all arguments. `gradient` yields the gradients of a node's inputs that calls it."""
        function = PartFunction(
            self.graph.name, GraphSession(self.graph), list(inputs), [], list(outputs), self.targets
        )
        function.gradient_of_node = gradient
        return function


def captures_of(parts: Sequence[Part]) -> list[Any]:
    """The tensors of graphs around that some of the parts use."""
    return list(dict.fromkeys(outer for part in parts for outer in part.graph.external_captures))


def here(outer: Sequence[Any]) -> list[Tensor]:
    """What stands for tensors of graphs around in the default graph."""
    graph: Any = get_default_graph()
    return [graph.capture(tensor) if graph.building_function else tensor for tensor in outer]


def waited_for(parts: Sequence[Part]) -> list[Operation]:
    """The operations of graphs around that operations of some parts wait for."""
    return list(dict.fromkeys(op for part in parts for op in part.graph.control_captures))
