"""Parts of nodes that go back: functions with graphs of their own, which take tensors of the first node's parts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from tinytf.eager.control_flow.parts import PartFunction
from tinytf.eager.func_graph import FuncGraph
from tinytf.framework import dtypes
from tinytf.framework.handle_source import handle_source
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor


class BackwardGraph(FuncGraph):
    """A part of a node that goes back through `op`, of which `forward` is a part. It takes inputs and outputs of `op`, and
    what `op` will yield as well."""

    def __init__(self, name: str, op: Operation, forward: PartFunction, first_input: int) -> None:
        super().__init__(name)
        self._op = op
        self._forward = forward
        self._first_input = first_input  # of the part, among those of the node
        self.taken: list[Tensor] = []  # what `op` will yield as well: tensors of the first part
        self._known: dict[int, Tensor] = {}  # what stands here for tensors of the first part, by their keys
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
        """What stands here for a tensor of the first part, which is asked for once."""

    def _input(self, tensor: Tensor, name: str) -> Tensor:
        """What stands here for an argument of the first part."""
        return self._captured(self._op.inputs[self._first_input + self._arguments[tensor._key]], name)

    def _output(self, tensor: Tensor, name: str) -> Tensor:
        """What stands here for a result of the first part."""
        return self._captured(self._op.outputs[self._results[tensor._key]], name)

    def found_in(self, outputs: Sequence[Tensor]) -> None:
        """Says as which outputs `op` yields what was taken."""
        known = dict(zip(self.taken, outputs, strict=True))
        pairs = [(known.get(outer, outer), inner) for outer, inner in self.captures]
        self._captures = {outer: (outer, inner) for outer, inner in pairs}
        self._captured_by = {inner._key: outer for outer, inner in pairs}
