"""Gradients: the backward walk over a graph, and one module of gradient functions per family of ops."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.graph import functions as graph_functions
from tinytf._src.gradients import registry

_loaded = False


def load_all() -> None:
    """Imports all modules of gradient functions, once, which registers them and the ops without a gradient."""
    global _loaded
    if _loaded:
        return
    from tinytf._src.gradients import (  # noqa: F401
        array_grad,
        batch_norm_grad,
        concat_grad,
        control_flow_grad,
        diag_grad,
        einsum_grad,
        function_grad,
        gather_grad,
        image_grad,
        linalg_grad,
        math_grad,
        nn_grad,
        optional_grad,
        product_grad,
        random_grad,
        reduce_grad,
        rnn_grad,
        script_grad,
        segment_grad,
        sparse_grad,
        special_grad,
        state_grad,
        stops,
        tensor_array_grad,
        tensor_list_grad,
    )

    _loaded = True  # last: a concurrent caller waits for the imports itself


def _derive(graph: Any, name: str, attrs: dict[str, bytes]) -> None:
    from tinytf._src.gradients.derived import derive

    derive(graph, name, attrs)


def _derive_within(graph: Any, definition: Any) -> None:
    if any(node.op == "SymbolicGradient" for node in definition.node_def):
        from tinytf._src.gradients.derived import derive_within

        derive_within(graph, definition)


registry.load_first(load_all)
graph_functions.derive_by(_derive, _derive_within)
