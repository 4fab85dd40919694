"""The backward graph of one branch of an If or Case node."""

from __future__ import annotations

from tinytf._gen import gen_ops
from tinytf._src.eager.control_flow.gradient_parts import BackwardGraph
from tinytf._src.eager.control_flow.parts import PartFunction
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor


class BranchGraph(BackwardGraph):
    """Takes intermediates of its forward branch as optional values, outputs of the forward node that are set if that
    branch ran."""

    def __init__(self, name: str, op: Operation, branch: PartFunction) -> None:
        super().__init__(name, op, branch, 1)

    def _take(self, tensor: Tensor, name: str) -> Tensor:
        if tensor._key in self._results:
            return self._output(tensor, name)
        if tensor._key in self._arguments:
            return self._input(tensor, name)
        optional = self._captured(self._wrapped(tensor), name)
        [value] = gen_ops.optional_get_value(optional, [tensor.dtype], [tensor.shape])
        return value

    def _wrapped(self, tensor: Tensor) -> Tensor:
        """Returns the optional of a tensor: an existing output of the forward node, or a new result of its branch."""
        for wrap in tensor.consumers():
            if wrap.type == "OptionalFromValue" and wrap.outputs[0]._key in self._results:
                return self._op.outputs[self._results[wrap.outputs[0]._key]]
        with self._forward.graph.as_default() as graph, graph.control_dependencies(None), graph.name_scope(None):
            self.taken.append(gen_ops.optional_from_value([tensor]))
        return self.taken[-1]

    def yields(self, count: int) -> PartFunction:
        """Returns the forward branch with `count` more results: the intermediates taken, then empty optionals."""
        missing = count - len(self.taken)
        with self._forward.graph.as_default() as graph, graph.control_dependencies(None), graph.name_scope(None):
            none = [gen_ops.optional_none() for _ in range(missing)]
        return self._forward.longer([], [*self.taken, *none])
