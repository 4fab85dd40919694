"""Graphs made from function definitions."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf._src import protos
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.sites.call_site import creation_site


class GraphOfDefinition(Graph):
    """The graph of a function definition in the library of the graph `around`. `core` is the engine's graph;
    `arguments` and `results` are keys of its tensors."""

    def __init__(self, core: Any, arguments: tuple[int, ...], results: tuple[int, ...], around: Graph) -> None:
        self._given = core
        super().__init__()
        adopt_body(self, around)
        self.arguments = [self._nodes.tensor(key) for key in arguments]
        self.results = [self._nodes.tensor(key) for key in results]

    def _new_core(self) -> Any:
        return self._given


def adopt_body(body: Graph, around: Graph) -> None:
    """Gives a new body graph Operations for the nodes of its core, and the functions of `around`, which they may
    call."""
    body._functions.derivations.update(around._functions.derivations)
    body._functions.specs.update(around._functions.specs)
    body._functions.update(around._functions)
    with body._nodes.lock:
        names, ops, types = _core.described(body._core)
        body._adopt(names, ops, types, creation_site(2))


def must_run(body: Graph, graph: Graph, name: str) -> list[Operation]:
    """The operations of a function body that run even if no output needs them: the control outputs in its definition in
    `graph`, or, if there are none, all operations with side effects."""
    definition = protos.FunctionDef.FromString(_core.function_def(graph._core, name))
    named = set(definition.control_ret.values())
    if named:
        return [op for op in body._nodes.ops if op.name in named]
    return [op for op in body._nodes.ops if op._is_stateful and not _without_effect(op)]


def _without_effect(op: Operation) -> bool:
    spec = op._spec
    return spec.is_random or spec.is_variable or spec.is_placeholder or spec.reads_resource
