"""Effects in branches and loops of functions: what comes after sees them."""

from __future__ import annotations

from typing import Any

from tinytf.framework import nest
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.name_scope import control_dependencies
from tinytf.framework.operation import Operation
from tinytf.ops.control_flow.context import ControlFlowContext, output_context
from tinytf.ops.control_flow.primitives import identity


def settled(context: ControlFlowContext, values: Any, after: int) -> Any:
    """What a branch or an iteration yields, in a structure. Where a function is traced, whose effects happen in the order of
    the program, it is there when the effects of operations with ids above `after` have happened."""
    graph = get_default_graph()
    if not graph.calls_functions:
        return values
    ops = graph._nodes.ops[after:]
    effects = [op for op in ops if _has_effect(op)]
    if not effects:
        return values
    # Those of branches and loops inside have happened when these have ended.
    ends = [op for op in ops if op._spec.control_flow in ("merge", "exit")]
    with control_dependencies([op for op in [*effects, *ends] if output_context(op) is context]):
        return nest.map_structure(identity, values, expand_composites=True)


def _has_effect(op: Operation) -> bool:
    spec = op._spec
    return op._is_stateful and not (spec.is_placeholder or spec.is_variable or spec.is_random)
