"""Inlines traced functions into graphs: calls the Python function, which adds its operations there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.eager import composites, control_order
from tinytf._src.eager.control_flow.version import hand_down
from tinytf._src.eager.lifting import NOT_FIRST
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.nest import nest
from tinytf._src.framework.values.tensor_like import is_graph_tensor
from tinytf._src.ops.control_flow.version import as_in_functions
from tinytf._src.variables.creation import variable_creator_scope


def call_inline(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], may_create: bool) -> Any:
    """Calls the function in the default graph. Stateful operations run in program order, and before the returned
    tensors are available. ValueError if it creates variables without `may_create`."""
    graph = get_default_graph()
    variables: set[Operation] = set()
    around = graph.get_name_scope()

    def creator(next_creator: Callable[..., Any], **options: Any) -> Any:
        if not may_create:
            raise ValueError(NOT_FIRST)
        if options.get("use_resource") is None:
            options["use_resource"] = True
        first = graph.version
        scope = graph.get_name_scope()
        within = scope[len(around) :].lstrip("/") if scope.startswith(around) else scope
        with graph.name_scope(f"{within}/" if within else None):  # so that the name is that of a function's variable
            made = next_creator(**options)  # lifts the variable out of enclosing functions
        variables.update(graph._nodes.ops[first:])
        return made

    before = graph.version
    hand_down()
    with variable_creator_scope(creator), as_in_functions():
        result = function(*args, **kwargs)
    if graph.building_function:  # the enclosing function orders everything when it is complete
        return result
    made = [op for op in graph.made_since(before) if op not in variables]
    must_run = control_order.in_program_order(made, graph._get_control_flow_context())
    if not must_run:
        return result
    with graph.control_dependencies(must_run):
        return nest.map_structure(_tied, result)


def _tied(value: Any) -> Any:
    if composites.is_composite(value):
        return composites.with_parts(value, [_tied(part) for part in composites.parts_of(value)])
    return gen_ops.identity(value) if is_graph_tensor(value) else value
