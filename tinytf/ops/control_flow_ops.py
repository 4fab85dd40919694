"""Branches and loops, order, assertions: everything about control flow, from the modules that hold it."""

from tinytf.ops.control_flow import (
    assertions,
    cases,
    cond_context,
    conditional,
    context,
    dependencies,
    loops,
    primitives,
    while_context,
)
from tinytf.ops.control_flow.assertions import *  # noqa: F403
from tinytf.ops.control_flow.cases import *  # noqa: F403
from tinytf.ops.control_flow.cond_context import *  # noqa: F403
from tinytf.ops.control_flow.conditional import *  # noqa: F403
from tinytf.ops.control_flow.context import *  # noqa: F403
from tinytf.ops.control_flow.dependencies import *  # noqa: F403
from tinytf.ops.control_flow.loops import *  # noqa: F403
from tinytf.ops.control_flow.primitives import *  # noqa: F403
from tinytf.ops.control_flow.while_context import *  # noqa: F403

__all__: list[str] = []
__all__ += assertions.__all__
__all__ += cases.__all__
__all__ += cond_context.__all__
__all__ += conditional.__all__
__all__ += context.__all__
__all__ += dependencies.__all__
__all__ += loops.__all__
__all__ += primitives.__all__
__all__ += while_context.__all__
