"""Summaries created in branches and loops: only the branch or loop itself can run them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._core import share_site, unshare_site
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.nest import nest
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.ops.control_flow.dependencies import no_op
from tinytf._src.ops.control_flow.primitives import identity
from tinytf._src.ops.control_flow.tensor_arrays import is_tensor_array


def with_summaries(build: Callable[..., Any], *arguments: Any) -> Any:
    """Returns the result of `build`. Summaries that it collects are removed from their collection and become control
    inputs of copies of the result, or of a no-op if the result is None.
    """
    graph = get_default_graph()
    before = len(graph.get_collection(GraphKeys._SUMMARY_COLLECTION))
    # Creation sites share the outer part of the stack, because nested functions make it deep.
    try:
        share_site()
        result = build(*arguments)
    finally:
        unshare_site()
    new = graph.get_collection(GraphKeys._SUMMARY_COLLECTION)[before:]
    if not new:
        return result
    del graph.get_collection_ref(GraphKeys._SUMMARY_COLLECTION)[before:]
    with control_dependencies(new):
        if result is None:
            return no_op()
        return nest.map_structure(lambda x: x if is_tensor_array(x) else identity(x), result, expand_composites=True)
