"""Ops for branches, loops, ordering and assertions, collected from the modules that define them."""

from tinytf._src.ops.control_flow.assertions import Assert
from tinytf._src.ops.control_flow.cases import case, case_by
from tinytf._src.ops.control_flow.cond_context import CondContext
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.control_flow.context import ControlFlowContext
from tinytf._src.ops.control_flow.dependencies import group, no_op, tuple, with_dependencies
from tinytf._src.ops.control_flow.loops import while_loop
from tinytf._src.ops.control_flow.primitives import exit, merge, switch
from tinytf._src.ops.control_flow.while_context import WhileContext

__all__ = [
    "Assert",
    "CondContext",
    "ControlFlowContext",
    "WhileContext",
    "case",
    "case_by",
    "cond",
    "exit",
    "group",
    "merge",
    "no_op",
    "switch",
    "tuple",
    "while_loop",
    "with_dependencies",
]
