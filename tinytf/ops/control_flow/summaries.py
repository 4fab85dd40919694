"""Summaries that branches and loops write: nobody else can run them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._core import share_site, unshare_site
from tinytf.framework import nest
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.name_scope import control_dependencies
from tinytf.ops.control_flow.dependencies import no_op
from tinytf.ops.control_flow.primitives import identity
from tinytf.ops.control_flow.tensor_arrays import is_tensor_array


def with_summaries(build: Callable[..., Any], *arguments: Any) -> Any:
    """What `build` returns; if it has collected summaries, copies that wait for them, or a NoOp for None. They are taken
    off their collection."""
    graph = get_default_graph()
    before = len(graph.get_collection(GraphKeys._SUMMARY_COLLECTION))
    try:  # many functions in each other make deep stacks
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
