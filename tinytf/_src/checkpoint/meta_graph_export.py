"""Exports graphs, or parts of them, with their collections."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

from tinytf._src.checkpoint.collection_defs import is_included
from tinytf._src.checkpoint.debug_info import graph_debug_info
from tinytf._src.checkpoint.message_files import write_message
from tinytf._src.checkpoint.meta_graph import create_meta_graph_def
from tinytf._src.checkpoint.scoped_graph_def import other_savers_nodes, part_of_graph_def
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import strip_name_scope


@called_by_users
def export_scoped_meta_graph(
    filename: str | None = None,
    graph_def: Any = None,
    graph: Graph | None = None,
    export_scope: str | None = None,
    as_text: bool = False,
    unbound_inputs_col_name: str | None = "unbound_inputs",
    clear_devices: bool = False,
    saver_def: Any = None,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    *,
    meta_info_def: Any = None,
    collection_list: Collection[Any] | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Returns the `MetaGraphDef` of a graph, and its variables by their exported names; also writes a file if
    `filename` is given.

    Args:
      export_scope: only nodes and values in this name scope are exported, without it in their names.
      unbound_inputs_col_name: collection for the names of tensors outside of the scope that its nodes use as inputs.
      clear_devices: whether nodes lack their devices.
      clear_extraneous_savers: whether to leave out savers other than `saver_def`'s, including their nodes.
      save_debug_info: whether to write the creation sites of the operations to a second file, with the extension
        `.debug`.
      graph_def, graph, saver_def, strip_default_attrs, meta_info_def, collection_list: as of `create_meta_graph_def`.
    """
    if executing_eagerly() and (graph_def is None or graph is None):
        raise ValueError("Exporting/importing meta graphs is not supported when Eager Execution is enabled.")
    graph = graph or get_default_graph()
    left_out: set[str] = set()
    if export_scope or clear_extraneous_savers or clear_devices:
        whole = graph.as_graph_def(add_shapes=True) if graph_def is None else graph_def
        if clear_extraneous_savers:
            left_out = other_savers_nodes(whole, saver_def)
        graph_def, unbound = part_of_graph_def(whole, export_scope, left_out, clear_devices)
        if unbound_inputs_col_name:
            graph.clear_collection(unbound_inputs_col_name)
            for name in unbound:
                graph.add_to_collection(unbound_inputs_col_name, name)
    result = create_meta_graph_def(
        meta_info_def,
        graph_def,
        saver_def,
        collection_list,
        graph,
        export_scope,
        left_out,
        clear_extraneous_savers,
        strip_default_attrs,
    )
    if filename:
        write_message(filename, result, as_text)
        if save_debug_info:
            info = graph_debug_info(graph, result.graph_def, export_scope)
            write_message(f"{os.path.splitext(filename)[0]}.debug", info, as_text)
    variables = [
        variable
        for variable in graph.get_collection(GraphKeys.GLOBAL_VARIABLES, export_scope)
        if is_included(variable, export_scope, left_out)
    ]
    return result, {strip_name_scope(variable.name, export_scope): variable for variable in variables}
