"""`WalkRegion`: the part of a graph that a backward walk visits."""

from __future__ import annotations

from collections import deque
from typing import Any

from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.gradients.captured import is_outside, seen_from_outside
from tinytf._src.gradients.trainable import is_trainable


class WalkRegion:
    """The operations between ys and xs: ys depend on them, and they depend on xs through differentiable tensors.

    If `graph`, in which gradients are built, is a function body and some x belongs to an outer graph, the region
    continues outside of the function: captured tensors replace their placeholders, also in `ys` and `inputs_of`.
    """

    def __init__(self, ys: list[Tensor], xs: list[Tensor], graph: Graph) -> None:
        self._xs = xs
        self._leaves_function = graph.building_function and any(is_outside(x, graph) for x in xs)
        self._wanted = frozenset(xs)
        self.ys = [seen_from_outside(y, self._wanted) for y in ys] if self._leaves_function else ys
        self._inputs: dict[Operation, tuple[Tensor, ...]] = {}
        self.ops = self._between()  # ones that are nearer to ys first

    def inputs_of(self, op: Operation) -> tuple[Tensor, ...]:
        """The inputs of an operation."""
        inputs = self._inputs.get(op)
        if inputs is None:
            inputs = op.inputs
            if self._leaves_function:
                inputs = tuple([seen_from_outside(tensor, self._wanted) for tensor in inputs])
            self._inputs[op] = inputs
        return inputs

    def uses(self) -> dict[Operation, int]:
        """The number of uses, within the region, of each operation's outputs."""
        uses = dict.fromkeys(self.ops, 0)
        for op in self.ops:
            for t in self.inputs_of(op):
                if t.op in uses:
                    uses[t.op] += 1
        return uses

    def ends(self, stop: list[Any], uses: dict[Operation, int]) -> set[Operation]:
        """The operations whose inputs get no gradients: the producers of the tensors in `stop`, and of xs that depend
        on no other x."""
        ops = {t.op for t in stop}
        for op in {x.op for x in self._xs}:
            if not any(uses.get(t.op, 0) > 0 for t in self.inputs_of(op)):
                ops.add(op)
        return ops

    def _between(self) -> list[Operation]:
        """The reached operations from which some y is reached through others of them, nearer ones first."""
        left = self._reached()
        between: list[Operation] = []
        queue = deque(y.op for y in self.ys)
        while queue:
            op = queue.popleft()
            if op in left:
                left.remove(op)
                between.append(op)
                queue.extend(t.op for t in self.inputs_of(op))
        return between

    def _reached(self) -> set[Operation]:
        """The operations on which ys depend and that depend on xs through differentiable tensors."""
        users = self._users()
        reached: set[Operation] = set()
        queue = [x.op for x in self._xs]
        while queue:
            op = queue.pop()
            if op not in reached:
                reached.add(op)
                queue.extend(users.get(op, ()))
        return reached

    def _users(self) -> dict[Operation, list[Operation]]:
        """For the operations on which ys depend, the ones among them that use their differentiable outputs."""
        ancestors: set[Operation] = set()
        queue = [y.op for y in self.ys]
        while queue:
            op = queue.pop()
            if op not in ancestors:
                ancestors.add(op)
                queue.extend(t.op for t in self.inputs_of(op))
        users: dict[Operation, list[Operation]] = {}
        for op in ancestors:
            for t in self.inputs_of(op):
                if is_trainable(t):
                    users.setdefault(t.op, []).append(op)
        return users
