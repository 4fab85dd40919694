"""What differentiates nodes whose parts are functions: they are traced above gradients, so that the package hands it down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_Gradient = Callable[[Any, Any], list[Any]]  # (operation, gradients of its outputs) → those of its inputs


class NodeGradients:
    """The gradients of If and Case nodes, of While nodes, and of calls in the bodies of functions. Are there from the
    beginning."""

    of_branches: _Gradient
    of_loop: _Gradient
    of_defined_call: _Gradient


node_gradients = NodeGradients()
