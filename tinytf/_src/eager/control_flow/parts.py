"""Parts of branches and loops: functions whose captures are passed as additional arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tinytf import _core
from tinytf._src import protos
from tinytf._src.eager import calls
from tinytf._src.eager.func_graph import FuncGraph, stand_in
from tinytf._src.eager.graph_function import GraphFunction, GraphSession, NodeFunction
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.resources.variable_watch import accessed_in_graph
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.control_flow.tensor_arrays import with_flows

_Gradient = Callable[[Operation, Sequence[Any]], list[Any]]


def name_in(scope: str, kind: str) -> str:
    """Returns a unique name for a function of the node with that name scope."""
    return calls.numbered(f"{scope}{kind}".replace("/", "_"))


def lowered(graph: Graph) -> AbstractContextManager[None]:
    """Returns a context manager that marks new nodes for lowering to Switch and Merge in TensorFlow; such nodes need a
    scalar condition, and their functions' state is separate for each node."""
    return graph._attr_scope({"_lower_using_switch_merge": protos.AttrValue(b=True)})


def gradient_name(name: str) -> str:
    """Returns a unique name for the backward function of a function with this name."""
    return calls.numbered(f"{name}_grad")


class PartFunction(NodeFunction):
    """A function that is a part of nodes. Its name is also its library name."""

    gradient_of_node: _Gradient
    _times_longer = 0

    def library_name(self) -> str:
        """Returns its name."""
        return self.name

    def sibling(
        self, name: str, inputs: list[Tensor], given: list[Tensor], outputs: list[Tensor], targets: list[Operation]
    ) -> GraphFunction:
        """Returns another function of the same graph, with this name and a number."""
        return super().sibling(calls.numbered(name), inputs, given, outputs, targets)

    def longer(self, more: Sequence[Tensor], outputs: Sequence[Tensor]) -> PartFunction:
        """Returns the function with more inputs and outputs."""
        inputs = [*self.inputs, *more]
        name = f"{self.name}_rewritten" + (f"_{self._times_longer}" if self._times_longer else "")
        self._times_longer += 1
        function = type(self)(name, self._session, inputs, [], [*self.outputs, *outputs], self._targets)
        function.gradient_of_node = self.gradient_of_node
        return function


class Part:
    """A traced function: `inputs` are placeholders, `outputs` the flat results, `result` the same in structure."""

    def __init__(
        self,
        graph: str | FuncGraph,
        inputs: Sequence[Tensor],
        shapes: Sequence[TensorShape],
        function: Callable[..., Any],
        named: int = 0,
        copies: bool | None = None,
    ) -> None:
        """Traces `function`, which returns (tensors, structure), in a new graph of the name `graph` or in the given
        graph.

        It is called with placeholders for `inputs`, of these shapes, the first `named` of them named after the inputs'
        operations. With `copies` the outputs are copies, by default in functions only: TensorFlow makes the copies
        depend on the operations that must run.
        """
        around = get_default_graph()
        self.graph = FuncGraph(graph) if isinstance(graph, str) else graph
        self.graph._collections = around._collections  # includes the open variable scopes
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
        if self.graph.copies_results:
            for tensor in self.outputs:
                tensor.op._add_control_inputs(self.targets)
        for variable in self.graph.variables:
            accessed_in_graph(variable)

    @contextmanager
    def building(self) -> Iterator[None]:
        """Returns a context manager that builds in the part's graph, hidden from tapes."""
        paused = _core.pause_tapes()
        try:
            with self.graph.as_default():
                yield
        finally:
            _core.resume_tapes(paused)

    def take(self, outer: Sequence[Any], unused: str | None = None) -> list[Tensor]:
        """Returns the placeholders of captured outer tensors. `unused` names new ones, for tensors that this part does
        not use."""
        return [self.graph._captured(tensor, unused) for tensor in outer]

    def as_function(self, inputs: Sequence[Tensor], outputs: Sequence[Tensor], gradient: _Gradient) -> PartFunction:
        """Returns the function of all arguments. `gradient` computes gradients of the inputs of nodes that call it."""
        function = PartFunction(
            self.graph.name, GraphSession(self.graph), list(inputs), [], list(outputs), self.targets
        )
        function.gradient_of_node = gradient
        return function


def captures_of(parts: Sequence[Part]) -> list[Any]:
    """Returns the outer tensors that any of the parts captures."""
    return list(dict.fromkeys(outer for part in parts for outer in part.graph.external_captures))


def here(outer: Sequence[Any]) -> list[Tensor]:
    """Returns the stand-ins for outer tensors in the default graph."""
    graph: Any = get_default_graph()
    return [graph.capture(tensor) if graph.building_function else tensor for tensor in outer]


def waited_for(parts: Sequence[Part]) -> list[Operation]:
    """Returns the operations of enclosing graphs that any of the parts has as control inputs."""
    return list(dict.fromkeys(op for part in parts for op in part.graph.control_captures))
