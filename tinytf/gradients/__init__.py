"""Gradients: the walk over a graph, and one file of gradient functions per family of ops."""

from __future__ import annotations

from tinytf.gradients import registry

_loaded = False


def load_all() -> None:
    """Imports every family, so that its functions are registered; once."""
    global _loaded
    if _loaded:
        return
    from tinytf.gradients import (  # noqa: F401
        array_grad,
        batch_norm_grad,
        concat_grad,
        control_flow_grad,
        diag_grad,
        einsum_grad,
        function_grad,
        gather_grad,
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
        tensor_array_grad,
        tensor_list_grad,
    )

    _loaded = True  # last: a thread that comes meanwhile waits in its own import


registry.load_first(load_all)
