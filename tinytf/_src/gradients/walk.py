"""`Walk`: the backward walk over a graph that builds the gradient operations."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any

from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.jit_scope import jit_scope_of_gradient
from tinytf._src.framework.scopes.name_scope import colocate_with, device
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.gradient_terms import GradientTerms
from tinytf._src.gradients.loops_of_walk import LoopsOfWalk
from tinytf._src.gradients.registry import get_gradient_function
from tinytf._src.gradients.symbolic import symbolic_gradient
from tinytf._src.gradients.trainable import is_trainable
from tinytf._src.gradients.walk_region import WalkRegion
from tinytf._src.ops import control_flow_ops
from tinytf._src.ops.control_flow.context import inside


def beside(op: Operation, colocate: bool) -> Any:
    """Context manager that colocates new operations with `op` if `colocate`."""
    return colocate_with(op) if colocate else contextlib.nullcontext()


class Walk:
    """One backward walk. Operations are visited when all consumers of their outputs were.

    The new operations belong to the default graph; see `WalkRegion` for function bodies.
    """

    def __init__(
        self,
        ys: list[Tensor],
        xs: list[Tensor],
        stop: list[Any],
        colocate: bool,
        gate: bool,
        aggregation_method: int | None,
    ) -> None:
        self._terms = GradientTerms(aggregation_method)
        self._xs = xs
        self._colocate = colocate
        self._gate = gate
        self._graph: Graph = get_default_graph()
        self._region = WalkRegion(ys, xs, self._graph)
        self._loops = LoopsOfWalk(self._region.ops, colocate)
        self._pending = self._region.uses()  # the number of unvisited uses of each operation's outputs
        self._stop_ops = self._region.ends(stop, self._pending)

    def run(self, initial: list[Any]) -> None:
        """Visits the operations. `initial` has the gradient of each y."""
        ys = self._region.ys
        for y, grad in zip(ys, initial, strict=True):
            self._terms.add(y, grad)
        begun = dict.fromkeys(y.op for y in ys if self._pending.get(y.op) == 0)
        ready = deque(begun)
        ready.extend(self._loops.begin(self._pending, set(begun), self._terms.add))
        while ready:
            op = ready.popleft()
            self._visit(op)
            for t in self._region.inputs_of(op):
                ready.extend(self._done(t))

    def _done(self, tensor: Tensor) -> Iterable[Operation]:
        """The operations that can be visited now that another use of a tensor was visited."""
        producer = tensor.op
        if producer not in self._pending:
            return ()
        self._pending[producer] = left = self._pending[producer] - 1
        if left < 0 or (left > 0 and not self._loops.is_variable(producer)):
            return ()
        if producer._spec.control_flow == "exit":
            return self._loops.arrived(tensor, self._terms.reach, self._terms.add)
        return (producer,)

    def _visit(self, op: Operation) -> None:
        with beside(op, self._colocate):
            with self._going_back(op, before=True):
                out_grads = [self._terms.sum_of(output) for output in op.outputs]
            if op in self._stop_ops or all(g is None for g in out_grads):
                return
            try:
                function = get_gradient_function(op)
            except LookupError:
                raise LookupError(f"No gradient defined for operation '{op.name}' (op type: {op.type})") from None
            if function is None:
                return
            with self._going_back(op):
                self._loops.check_inside(op, self._xs)
                self._differentiate(op, function, out_grads)

    def _going_back(self, op: Operation, before: bool = False) -> AbstractContextManager[None]:
        """The context for the gradients of an operation's inputs, or, with `before`, of its outputs."""
        state = self._loops.state_of(op, before)
        return contextlib.nullcontext() if state is None else inside(state.backward)

    def _differentiate(self, op: Operation, function: Callable[..., Any], out_grads: list[Any]) -> None:
        for i, grad in enumerate(out_grads):
            if grad is None and (is_trainable(op.outputs[i]) or function is symbolic_gradient):
                out_grads[i] = self._loops.zeros_for_output(op, i)
        before = self._graph.version
        inputs = self._region.inputs_of(op)
        marks = jit_scope_of_gradient(op)
        with self._graph.name_scope(op.name + "_grad"):
            with marks:
                in_grads = function(op, *out_grads)
            in_grads = list(in_grads) if isinstance(in_grads, (list, tuple)) else [in_grads]
            if len(in_grads) != len(inputs):
                raise ValueError(
                    f"Num gradients {len(in_grads)} generated for op {op.node_def} do not match num inputs {len(inputs)}"
                )
            if self._gate and sum(g is not None for g in in_grads) > 1:
                with device(None), colocate_with(None, ignore_existing=True):
                    in_grads = control_flow_ops.tuple(in_grads)
        for new in self._graph._nodes.ops[before:]:
            new._original_op = op
        for i, (tensor, grad) in enumerate(zip(inputs, in_grads, strict=True)):
            if grad is None:
                continue
            if isinstance(grad, Tensor) and tensor.dtype != dtypes.resource:
                self._check_shape(op, i, tensor, grad)
            if not isinstance(grad, (Tensor, IndexedSlices)):
                raise TypeError("gradients have to be either all Tensors or all IndexedSlices")
            self._terms.add(tensor, grad)

    @staticmethod
    def _check_shape(op: Operation, index: int, tensor: Tensor, grad: Tensor) -> None:
        try:
            grad.set_shape(tensor.get_shape())
        except ValueError:
            raise ValueError(
                "Incompatible shapes between op input and calculated input gradient.  Forward operation: "
                f"{op.name}.  Input index: {index}. Original input shape: {tensor.shape}.  Calculated input gradient shape: "
                f"{grad.shape}"
            ) from None

    def finish(self) -> None:
        """Closes the backward loops. Must be called once, after `run`; outside of the name scope of the gradients, as
        in TensorFlow."""
        self._loops.finish()

    def gradient_of(self, x: Tensor) -> Any:
        """Returns the gradient of an x, or None."""
        return self._terms.sum_of(x)
