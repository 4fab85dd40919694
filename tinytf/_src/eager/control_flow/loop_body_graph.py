"""The backward graph of a loop's body."""

from __future__ import annotations

import re

from tinytf._gen import gen_ops
from tinytf._src.eager.control_flow.gradient_parts import BackwardGraph
from tinytf._src.eager.control_flow.parts import PartFunction
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.ops.control_flow.context import inside
from tinytf._src.ops.data_flow import list_ops


class LoopBodyGraph(BackwardGraph):
    """Captures loop invariants of the forward loop as they are, and accumulator lists of other intermediates, of which
    each iteration pops the last element."""

    def __init__(self, name: str, op: Operation, cond: PartFunction, body: PartFunction, limit: Tensor | None) -> None:
        """`limit`: the maximal number of iterations of the forward loop; -1 or None if unlimited."""
        super().__init__(name, op, body, 0)
        self._cond = cond
        self._limit = limit
        self._next: dict[int, Tensor] = {}  # lists after the pop, by the keys of captures
        self._empty: list[Tensor] = []  # initial lists: new inputs of the forward loop
        self._lists: list[Tensor] = []  # their arguments in its body
        self._unread: list[Tensor] = []  # their arguments in its condition

    def next_captures(self) -> list[Tensor]:
        """Returns the values of the captures in the next iteration."""
        return [self._next.get(t._key, t) for t in self.internal_captures]

    def extend_first(self) -> None:
        """Extends the forward loop so that it accumulates the intermediates taken."""
        if self.taken:
            body, cond = self._forward.longer(self._lists, self.taken), self._cond.longer(self._unread, [])
            graph = self._op.graph
            functions = {"cond": [cond.entered(graph)], "body": [body.entered(graph)]}
            self._op._call_instead(functions, self.taken, self._empty)
            self.found_in(self._op.outputs[len(self._forward.outputs) :])

    def _own(self, tensor: Tensor, name: str | None = None) -> Tensor:
        if tensor._op._graph is self._forward.graph:
            while tensor.op.type == "Identity":
                tensor = tensor.op.inputs[0]
        return super()._own(tensor, name)

    def _take(self, tensor: Tensor, name: str) -> Tensor:
        place = self._arguments.get(tensor._key)
        if place is not None and self._forward.outputs[place]._key == tensor._key:
            return self._captured(self._op.outputs[place], name)
        if tensor.op._spec.is_constant:
            value = constant_value(tensor)
            assert value is not None
            return constant(value, tensor.dtype)
        if tensor.dtype == dtypes.resource:
            return self._input(tensor, name)
        stack = self._captured(self._listed(tensor), name)
        shorter, value = list_ops.tensor_list_pop_back(stack, tensor.dtype)
        value.set_shape(tensor.shape)
        self._next[stack._key] = shorter
        return value

    def _listed(self, tensor: Tensor) -> Tensor:
        """Returns the accumulator list of a tensor: an existing output of the forward loop, or a new result of its
        body."""
        for push in tensor.consumers():
            place = self._results.get(push.outputs[0]._key) if push.type == "TensorListPushBack" else None
            if place is not None and push.inputs[0]._key == self._forward.inputs[place]._key:
                return self._op.outputs[place]
        op = self._op
        # For imported functions TensorFlow rebuilds the body, with such argument names.
        known = re.sub("[^a-z0-9]", "_", tensor.name.lower()) if tensor._key in self._arguments else tensor.name
        name = f"{known}/accumulator".replace(":", "_")
        with op.graph.as_default(), inside(op._get_control_flow_context()), control_dependencies(None):
            empty = list_ops.empty_tensor_list(tensor.shape, tensor.dtype.base_dtype, self._limit, name)
        self._empty.append(empty)
        self._lists.append(_argument(self._forward.graph, empty))
        self._unread.append(_argument(self._cond.graph, empty))
        with self._forward.graph.as_default() as graph, graph.control_dependencies(None), graph.name_scope(None):
            self.taken.append(list_ops.tensor_list_push_back(self._lists[-1], tensor))
        return self.taken[-1]


def _argument(graph: Graph, like: Tensor) -> Tensor:
    with graph.as_default(), graph.control_dependencies(None), graph.name_scope(None):
        return gen_ops.placeholder(like.dtype, shape=like.shape, name=like.op.name)
