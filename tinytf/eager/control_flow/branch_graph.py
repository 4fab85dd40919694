"""A branch of a node that goes back through another one."""

from __future__ import annotations

from tinytf._gen import gen_ops
from tinytf.eager.control_flow.gradient_parts import BackwardGraph
from tinytf.eager.control_flow.parts import PartFunction
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor


class BranchGraph(BackwardGraph):
    """It takes optional values that the first node yields, which are there if its branch was taken."""

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
        """The optional value of a tensor: an output of the first node, or what its branch will yield."""
        for wrap in tensor.consumers():
            if wrap.type == "OptionalFromValue" and wrap.outputs[0]._key in self._results:
                return self._op.outputs[self._results[wrap.outputs[0]._key]]
        with self._forward.graph.as_default() as graph, graph.control_dependencies(None), graph.name_scope(None):
            self.taken.append(gen_ops.optional_from_value([tensor]))
        return self.taken[-1]

    def yields(self, count: int) -> PartFunction:
        """The first branch, which yields `count` more values, of which the first ones are those that were taken."""
        missing = count - len(self.taken)
        with self._forward.graph.as_default() as graph, graph.control_dependencies(None), graph.name_scope(None):
            none = [gen_ops.optional_none() for _ in range(missing)]
        return self._forward.longer([], [*self.taken, *none])
