"""Gradients of functions, derived from their definitions; `SymbolicGradient` operations run them."""

from __future__ import annotations

import functools
from typing import Any

from tinytf import _core
from tinytf._gen import gen_ops
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.definition_graph import GraphOfDefinition
from tinytf._src.framework.graph.functions import GRADIENT_OF, derivation_key
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.gradients_impl import gradients
from tinytf._src.gradients.trainable import is_trainable

# Errors of `gradients` that mean that there is no gradient, as in TensorFlow: AttributeError for loops whose contexts
# are unknown, TypeError for handles of old TensorArrays.
_UNDERIVABLE = (LookupError, ValueError, TypeError, AttributeError, NotImplementedError, errors_impl.OpError)


class Derivation:
    """A function given as a subgraph: `outputs` as a function of `inputs`, in a graph that also contains the original
    function.

    `unconnected` has the indices of outputs that are zeros because the function's results do not depend on that input.
    """

    def __init__(
        self, graph: Graph, inputs: list[Tensor], outputs: list[Tensor], unconnected: frozenset[int] = frozenset()
    ) -> None:
        self.graph = graph
        self.inputs = inputs
        self.outputs = outputs
        self.unconnected = unconnected

    @functools.cached_property
    def gradient(self) -> Derivation:
        """The gradient function: takes the inputs and the gradients of the outputs, and returns the gradients of the
        inputs."""
        graph, inputs, outputs = self.graph, self.inputs, self.outputs
        with graph.as_default(), graph.control_dependencies(None), graph.name_scope(None):
            seeds = [gen_ops.placeholder(_seed_type(y), shape=y.shape, name="gradient") for y in outputs]
            ys = [i for i, y in enumerate(outputs) if is_trainable(y) and y.dtype != dtypes.resource]
            found = gradients([outputs[i] for i in ys], inputs, [seeds[i] for i in ys]) if ys else [None] * len(inputs)
            results = [_dense(gradient, x) for gradient, x in zip(found, inputs, strict=True)]
        missing = frozenset(i for i, gradient in enumerate(found) if gradient is None)
        return Derivation(graph, [*inputs, *seeds], results, missing)

    def enter(self, graph: Graph, name: str, attrs: dict[str, bytes]) -> None:
        """Registers this object as the gradient of a library function, unless the library has the gradient's definition
        already."""
        if not _core.has_gradient(graph._core, name, attrs):
            inputs, outputs = ([t._key for t in tensors] for tensors in (self.inputs, self.outputs))
            _core.add_derived(graph._core, name, attrs, self.graph._core, inputs, outputs)
        graph._functions.derivations[derivation_key(name, attrs)] = self


def derive(graph: Graph, name: str, attrs: dict[str, bytes]) -> None:
    """Adds the gradient of a function to the library, or the reason why there is none. Does nothing if there is no such
    function, or if its gradient is being derived already, because it calls itself."""
    key = derivation_key(name, attrs)
    deriving = graph._functions.deriving
    if key in deriving:
        return
    try:
        function = _function(graph, name, attrs)
        if function is None:
            return
        inside = function.graph._functions
        before, inside.deriving = inside.deriving, inside.deriving | deriving | {key}
        try:
            function.gradient.enter(graph, name, attrs)
        finally:
            inside.deriving = before
    except _UNDERIVABLE as e:
        _core.add_underivable(graph._core, name, attrs, str(e))


def derive_within(graph: Graph, definition: Any) -> None:
    """Derives the gradients that `SymbolicGradient` nodes in a FunctionDef need."""
    for node in definition.node_def:
        if node.op == "SymbolicGradient" and node.attr["f"].HasField("func"):
            function = node.attr["f"].func
            attrs = {name: value.SerializeToString() for name, value in function.attr.items()}
            if not _core.has_gradient(graph._core, function.name, attrs):
                derive(graph, function.name, attrs)


def _function(graph: Graph, name: str, attrs: dict[str, bytes]) -> Derivation | None:
    if name.endswith(GRADIENT_OF):
        of = name[: -len(GRADIENT_OF)]
        if not _core.has_gradient(graph._core, of, attrs):
            derive(graph, of, attrs)
        found: Derivation | None = graph._functions.find_derivation(derivation_key(of, attrs))
        return found
    known = graph._functions.find(name)
    if known is not None and (name not in graph._functions.specs or _has_control_flow(known.graph)):
        # Otherwise its definition is used, so that the result is the same wherever the graph is imported.
        if known.derivation is None:
            known.derivation = Derivation(known.graph, [*known.inputs, *known.given], known.outputs)
        return known.derivation
    body = _core.new_body(graph._core, name, attrs)
    if body is None:
        return None
    inside = GraphOfDefinition(*body, graph)
    return Derivation(inside, inside.arguments, inside.results)


def _has_control_flow(graph: Graph) -> bool:
    """Whether there are branches or loops; a definition contains their operations but not their contexts."""
    return any(op._spec.control_flow for op in graph.get_operations())


def _seed_type(y: Tensor) -> Any:
    return dtypes.float32 if y.dtype == dtypes.resource else y.dtype.base_dtype


def _dense(gradient: Any, x: Tensor) -> Tensor:
    """The gradient as a dense tensor; zeros if there is none."""
    if gradient is not None:
        return convert_to_tensor(gradient)
    return gen_ops.zeros_like(x) if x.dtype != dtypes.resource else convert_to_tensor(0.0)
