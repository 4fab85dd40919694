"""Gradients of calls of traced functions in graphs: calls of backward functions, built as in TensorFlow."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from tinytf._gen import gen_ops
from tinytf._src.eager import calls, composites
from tinytf._src.eager.calls import CalledFunction
from tinytf._src.eager.func_graph import FuncGraph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.resources.handle_source import handle_source
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.tensor_like import is_graph_tensor
from tinytf._src.gradients.gradient_arrays import names_of_inputs, note_call
from tinytf._src.gradients.gradients_impl import gradients
from tinytf._src.gradients.trainable import is_trainable


class LibraryEntry(Protocol):
    """A function with certain outputs, as an entry of libraries."""

    def enter(self, graph: Graph) -> str:
        """Adds it to the graph's library; returns its name."""


class DifferentiableFunction(CalledFunction, Protocol):
    """A function whose calls are differentiated. It makes its backward functions, which are functions of its kind."""

    name: str
    inputs: list[Tensor]
    given: list[Tensor]

    @property
    def graph(self) -> FuncGraph:
        """The graph of inputs and outputs."""

    @property
    def targets(self) -> list[Operation]:
        """The operations that run even if their outputs are not needed."""

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """Guards additions to the graph."""

    def yielding(self, outputs: Sequence[Tensor]) -> LibraryEntry:
        """Returns a library entry of the function that yields these tensors of the graph."""

    def called_by_nodes(
        self, graph: FuncGraph, inputs: list[Tensor], targets: list[Operation]
    ) -> DifferentiableFunction:
        """Returns the function of another graph, with that graph's outputs."""


class CallGradients:
    """The backward functions for calls of one function.

    A backward function captures intermediate tensors of the forward graph. Differentiated calls are rewritten to yield
    these tensors after the function's own outputs, arguments and constants among them.
    """

    def __init__(self, function: DifferentiableFunction) -> None:
        self._function = function
        self._yielded = list(function.outputs)  # outputs, then captured intermediates; grows
        self._ways: dict[int, _WayBack] = {}  # by the number of a call's outputs that may have gradients

    def of(self, op: Operation, output_gradients: tuple[Any, ...]) -> list[Any]:
        """Returns the gradients of a call's inputs, given a gradient or None for each output. Rewrites the call to
        yield the tensors that the backward function captures."""
        way = self._way(len(op.outputs))
        if way.function is None:
            return [None] * len(op.inputs)
        note_call(way.arrays, op.inputs, output_gradients)
        more = list(way.yielded[len(op.outputs) :])
        if more or not op.graph.building_function:  # else graphs that call the body would not know the function
            op._call_instead({"f": [way.entry.enter(op.graph)]}, more)
        outputs = op.outputs
        seeds = [_seed(output_gradients[i], outputs[i]) for i in way.trainable]
        known = dict(zip(way.yielded, outputs))
        function, captured = way.function, way.captured
        if _is_in_loop(op):
            function, captured = way.lean
            known |= self._not_stacked(op, captured)
        return way.structured(calls.call_in_graph(function, [*seeds, *(known.get(t, t) for t in captured)]))

    def _not_stacked(self, op: Operation, tensors: list[Any]) -> dict[Any, Tensor]:
        """Maps captured tensors to substitutes that a loop of primitives need not put on stacks: the call's own inputs,
        which may be loop-invariant, and new constants."""
        function = self._function
        given = dict(zip((*function.inputs, *function.given), op.inputs, strict=True))
        found = {tensor: given[tensor] for tensor in tensors if tensor in given}
        for tensor in tensors:
            if is_graph_tensor(tensor) and tensor.graph is function.graph and tensor.op._spec.is_constant:
                value = constant_value(tensor)
                if value is not None:
                    found[tensor] = constant(value, tensor.dtype)
        return found

    def input_that_is_yielded(self, place: int) -> int | None:
        """Returns the index of the function's input that an output of calls forwards, or None."""
        function = self._function
        tensor = handle_source(function.graph.original(self._yielded[place]))
        return next((i for i, t in enumerate((*function.inputs, *function.given)) if t._key == tensor._key), None)

    def _way(self, count: int) -> _WayBack:
        way = self._ways.get(count)
        if way is None:
            with self._function.lock:
                way = self._ways[count] = _WayBack(self._function, self._yielded, count)
        return way


class _WayBack:
    """The backward function for calls with `count` outputs: yields the gradients of the forward function's inputs."""

    def __init__(self, function: DifferentiableFunction, yielded: list[Tensor], count: int) -> None:
        """Appends the intermediates that it captures to `yielded`."""
        self.function: DifferentiableFunction | None = None
        self.captured: list[Any] = []  # inputs beside the output gradients
        self.trainable = [i for i, y in enumerate(yielded[:count]) if is_trainable(y) and y.dtype != dtypes.resource]
        if not self.trainable:
            return
        with function.graph.as_default():
            graph = FuncGraph(calls.numbered(f"__backward_{function.name}"))
        ys = [yielded[i] for i in self.trainable]
        with graph.as_default():
            seeds = [gen_ops.placeholder(y.dtype, shape=y.shape) for y in ys]
            graph.inputs = list(seeds)
            found = gradients(ys, [*function.inputs, *function.given], seeds)
            self._structure = [_returned(graph, gradient) for gradient in found]
        self.arrays = names_of_inputs(graph, [*function.inputs, *function.given])
        graph.outputs = [leaf for leaf in composites.flatten(self._structure) if leaf is not None]
        if not graph.outputs:
            return
        self.captured = graph.external_captures
        yielded.extend(
            t for t in self.captured if is_graph_tensor(t) and t.graph is function.graph and t not in yielded
        )
        self.yielded = tuple(yielded)
        self.entry: LibraryEntry = function.yielding(self.yielded)
        self.function = function.called_by_nodes(graph, [*seeds, *graph.internal_captures], graph.note_order())

    @functools.cached_property
    def lean(self) -> tuple[DifferentiableFunction, list[Any]]:
        """The backward function without unused inputs, and its captures. Used for calls in loops of primitives, where
        each captured tensor costs a stack."""
        assert self.function is not None
        graph, inputs, targets = self.function.graph, self.function.inputs, self.function.targets
        needed = {t._key for t in inputs[: len(self.trainable)]}
        pending, seen = [*(t.op for t in graph.outputs), *targets], set()
        while pending:
            op = pending.pop()
            if op not in seen:
                seen.add(op)
                needed.update(t._key for t in op.inputs)
                pending += [*(t.op for t in op.inputs), *op.control_inputs]
        pairs = [pair for pair in graph.captures if pair[1]._key in needed]
        taken = [*inputs[: len(self.trainable)], *(inner for _, inner in pairs)]
        return self.function.called_by_nodes(graph, taken, targets), [outer for outer, _ in pairs]

    def structured(self, values: list[Tensor]) -> list[Any]:
        """Packs the values that a call yields into the gradients' structure."""
        rest = iter(values)
        flat = [None if leaf is None else next(rest) for leaf in composites.flatten(self._structure)]
        return composites.pack(self._structure, flat)


def _is_in_loop(op: Operation) -> bool:
    context = op._get_control_flow_context()
    return context is not None and context.GetWhileContext() is not None


def _returned(graph: FuncGraph, gradient: Any) -> Any:
    if gradient is None:
        return None
    if composites.is_composite(gradient):
        return composites.with_parts(gradient, [graph.returned(part) for part in composites.parts_of(gradient)])
    return graph.returned(gradient)


def _seed(gradient: Any, output: Tensor) -> Tensor:
    if gradient is None:
        return gen_ops.zeros_like(output)
    return gradient if is_graph_tensor(gradient) else convert_to_tensor(gradient)
