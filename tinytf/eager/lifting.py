"""Variables that traced functions make: they live outside the function's graph, and so must their initial values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf import _core
from tinytf.eager.func_graph import FuncGraph
from tinytf.eager.graph_function import GraphSession
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.init_scope import init_scope
from tinytf.framework.tensor import SymbolicTensor


def lifted_variable(next_creator: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Makes the variable outside the functions that are being traced. ValueError if its initial value depends on the
    function's arguments."""
    graph = get_default_graph()
    value = options.get("initial_value")
    if isinstance(graph, FuncGraph) and type(value) is SymbolicTensor and value.graph is graph:
        options["initial_value"] = _lifted_value(graph, value)
    with init_scope():
        if executing_eagerly() and options.get("use_resource") is None:
            options["use_resource"] = True
        return next_creator(**options)


def _lifted_value(graph: FuncGraph, value: Any) -> Any:
    inner, outer = graph.internal_captures, graph.external_captures
    captured = {t.op for t in inner}
    seen, pending = set(), [value.op]
    while pending:
        op = pending.pop()
        if op in seen or op in captured:
            continue
        seen.add(op)
        if op.type == "Placeholder":
            raise ValueError(
                f"Unable to lift tensor {value!r} because it depends transitively on placeholder {op!r} via at least one path"
            )
        pending.extend(t.op for t in op.inputs)
    call = GraphSession(graph).prepare(inner, [value], [])
    with init_scope():
        return _core.call_function(call, (), tuple(outer))[0]
