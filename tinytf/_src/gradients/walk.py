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
from tinytf._src.gradients.aggregation import AggregationMethod, aggregate
from tinytf._src.gradients.captured import is_outside, seen_from_outside
from tinytf._src.gradients.loops_of_walk import LoopsOfWalk
from tinytf._src.gradients.registry import get_gradient_function
from tinytf._src.gradients.symbolic import symbolic_gradient
from tinytf._src.gradients.trainable import is_trainable
from tinytf._src.ops import control_flow_ops
from tinytf._src.ops.control_flow.context import inside


def beside(op: Operation, colocate: bool) -> Any:
    """Context manager that colocates new operations with `op` if `colocate`."""
    return colocate_with(op) if colocate else contextlib.nullcontext()


class Walk:
    """One backward walk. Gradients of a tensor are collected in `_gradients` until all its consumers were visited.

    The new operations belong to the default graph. If that is a function body and some x belongs to an outer graph, the
    walk continues outside of the function: captured tensors replace their placeholders.
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
        if aggregation_method not in (None, *AggregationMethod.ALL):
            raise ValueError(f"Invalid aggregation_method specified {aggregation_method}.")
        self._xs = xs
        self._colocate = colocate
        self._gate = gate
        self._method = aggregation_method or AggregationMethod.DEFAULT
        self._graph: Graph = get_default_graph()
        self._gradients: dict[Tensor, list[Any]] = {}  # gradient terms by tensor
        self._leaves_function = self._graph.building_function and any(is_outside(x, self._graph) for x in xs)
        self._wanted = frozenset(xs)
        self._ys = [seen_from_outside(y, self._wanted) for y in ys] if self._leaves_function else ys
        self._inputs: dict[Operation, tuple[Tensor, ...]] = {}
        between = self._between()
        self._loops = LoopsOfWalk(between, colocate)
        self._pending = self._count_pending(between)
        self._stop_ops = self._stops(stop)

    def _inputs_of(self, op: Operation) -> tuple[Tensor, ...]:
        inputs = self._inputs.get(op)
        if inputs is None:
            inputs = op.inputs
            if self._leaves_function:
                inputs = tuple([seen_from_outside(tensor, self._wanted) for tensor in inputs])
            self._inputs[op] = inputs
        return inputs

    def _stops(self, stop: list[Any]) -> set[Operation]:
        ops = {t.op for t in stop}
        # Nothing precedes an x, unless it depends on another x.
        for op in {x.op for x in self._xs}:
            if not any(self._pending.get(t.op, 0) > 0 for t in self._inputs_of(op)):
                ops.add(op)
        return ops

    def _reached(self) -> set[Operation]:
        """The operations on which ys depend and that depend on xs through differentiable tensors."""
        ancestors: set[Operation] = set()
        queue = [y.op for y in self._ys]
        while queue:
            op = queue.pop()
            if op in ancestors:
                continue
            ancestors.add(op)
            queue.extend(t.op for t in self._inputs_of(op))
        users: dict[Operation, list[Operation]] = {}
        for op in ancestors:
            for t in self._inputs_of(op):
                if is_trainable(t):
                    users.setdefault(t.op, []).append(op)
        reached: set[Operation] = set()
        queue = [x.op for x in self._xs]
        while queue:
            op = queue.pop()
            if op not in reached:
                reached.add(op)
                queue.extend(users.get(op, ()))
        return reached

    def _between(self) -> list[Operation]:
        """The operations to visit: the reached ones from which some y is reached through others of them, nearer ones
        first."""
        left = self._reached()
        between: list[Operation] = []
        queue = deque(y.op for y in self._ys)
        while queue:
            op = queue.popleft()
            if op in left:
                left.remove(op)
                between.append(op)
                queue.extend(t.op for t in self._inputs_of(op))
        return between

    def _count_pending(self, between: list[Operation]) -> dict[Operation, int]:
        """The number of unvisited uses of each operation's outputs."""
        pending = dict.fromkeys(between, 0)
        for op in between:
            for t in self._inputs_of(op):
                if t.op in pending:
                    pending[t.op] += 1
        return pending

    def run(self, initial: list[Any]) -> None:
        for y, grad in zip(self._ys, initial, strict=True):
            self._set_gradient(y, grad)
        begun = dict.fromkeys(y.op for y in self._ys if self._pending.get(y.op) == 0)
        ready = deque(begun)
        ready.extend(self._loops.begin(self._pending, set(begun), self._set_gradient))
        while ready:
            op = ready.popleft()
            self._visit(op)
            for t in self._inputs_of(op):
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
            return self._loops.arrived(tensor, self._has_gradient, self._set_gradient)
        return (producer,)

    def _set_gradient(self, tensor: Tensor, grad: Any) -> None:
        self._gradients.setdefault(tensor, []).append(grad)

    def _has_gradient(self, op: Operation) -> bool:
        return any(self._gradients.get(output) for output in op.outputs)

    def _visit(self, op: Operation) -> None:
        with beside(op, self._colocate):
            with self._going_back(op, before=True):
                out_grads = self._output_gradients(op)
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
        inputs = self._inputs_of(op)
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
            self._set_gradient(tensor, grad)

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

    def _output_gradients(self, op: Operation) -> list[Any]:
        """The sum of the gradient terms for each output, or None."""
        grads: list[Any] = []
        for output in op.outputs:
            terms = self._gradients.get(output)
            if not terms:
                grads.append(None)
                continue
            if len(terms) > 1:
                terms[:] = [aggregate(terms, self._method, op.name)]
            grads.append(terms[0])
        return grads

    def finish(self) -> None:
        """Closes the backward loops. Must be called once, after `run`; outside of the name scope of the gradients, as
        in TensorFlow."""
        self._loops.finish()

    def gradient_of(self, x: Tensor) -> Any:
        terms = self._gradients.get(x)
        if not terms:
            return None
        if len(terms) > 1:
            terms[:] = [aggregate(terms, self._method, x.op.name)]
        return terms[0]
