"""Gradient functions of nodes that call functions. They need tracing, a higher layer, which sets them here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_Gradient = Callable[[Any, Any], list[Any]]  # (operation, gradients of its outputs) → gradients of its inputs


class NodeGradients:
    """The gradient functions of If and Case nodes, of While nodes, and of calls in function bodies. Set when the
    package is imported."""

    of_branches: _Gradient
    of_loop: _Gradient
    of_defined_call: _Gradient


node_gradients = NodeGradients()
