"""Backward graphs of the parts of a node."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from tinytf._src.eager.control_flow.parts import PartFunction
from tinytf._src.eager.func_graph import FuncGraph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.resources.handle_source import handle_source
from tinytf._src.framework.values import dtypes


class BackwardGraph(FuncGraph):
    """The backward graph of `forward`, a part of node `op`. It captures inputs and outputs of `op`, and intermediates
    of `forward`, which `op` will be extended to yield."""

    def __init__(self, name: str, op: Operation, forward: PartFunction, first_input: int) -> None:
        super().__init__(name)
        self._op = op
        self._forward = forward
        self._first_input = first_input  # index of the part's first argument among the node's inputs
        self.taken: list[Tensor] = []  # intermediates of the forward part that `op` must yield
        self._known: dict[int, Tensor] = {}  # stand-ins for tensors of the forward part, by their keys
        self._arguments = {t._key: i for i, t in reversed([*enumerate(forward.inputs)])}
        self._results = {t._key: i for i, t in reversed([*enumerate(forward.outputs)])}

    def _own(self, tensor: Tensor, name: str | None = None) -> Tensor:
        if tensor._op._graph is not self._forward.graph:
            return super()._own(tensor, name)
        if tensor.dtype == dtypes.resource:
            tensor = handle_source(tensor)
        found = self._known.get(tensor._key)
        if found is None:
            found = self._known[tensor._key] = self._take(tensor, name or tensor.op.name)
        return found

    @abstractmethod
    def _take(self, tensor: Tensor, name: str) -> Tensor:
        """Returns the stand-in for a tensor of the forward part; called once for each."""

    def _input(self, tensor: Tensor, name: str) -> Tensor:
        """Captures the node's input for an argument of the forward part."""
        return self._captured(self._op.inputs[self._first_input + self._arguments[tensor._key]], name)

    def _output(self, tensor: Tensor, name: str) -> Tensor:
        """Captures the node's output for a result of the forward part."""
        return self._captured(self._op.outputs[self._results[tensor._key]], name)

    def found_in(self, outputs: Sequence[Tensor]) -> None:
        """Replaces the captures of intermediates by the new outputs of `op` that yield them."""
        known = dict(zip(self.taken, outputs, strict=True))
        pairs = [(known.get(outer, outer), inner) for outer, inner in self.captures]
        self._captures = {outer: (outer, inner) for outer, inner in pairs}
        self._captured_by = {inner._key: outer for outer, inner in pairs}
