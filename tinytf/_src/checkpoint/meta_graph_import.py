"""Imports graphs that were exported with their collections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.files_of_graphs import MetaGraphOfFile, read_meta_graph
from tinytf._src.checkpoint.message_files import read_message
from tinytf._src.checkpoint.meta_graph_export import export_scoped_meta_graph
from tinytf._src.checkpoint.newer_savers import with_local_names
from tinytf._src.checkpoint.restored_collections import restore_collections, unbound_inputs
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_defs.importer import import_without_large
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import strip_name_scope


def restores_all(key: str) -> bool:
    """Returns True: all collections are restored."""
    return True


@called_by_users
def read_meta_graph_file(filename: str) -> Any:
    """Reads a `MetaGraphDef` from a file, in binary or text form. OSError if there is none."""
    return read_message(filename, protos.MetaGraphDef)


def as_meta_graph(meta_graph_or_file: Any) -> MetaGraphOfFile:
    """Returns the `MetaGraphDef` that is given as a message or by the name of its file. OSError also if the file is
    empty."""
    if isinstance(meta_graph_or_file, MetaGraphOfFile):
        return meta_graph_or_file
    if protos.is_message(meta_graph_or_file, "MetaGraphDef"):
        return MetaGraphOfFile(protos.adopt(meta_graph_or_file), {})
    meta_graph = read_meta_graph(meta_graph_or_file)
    if not meta_graph.contents and not meta_graph.light.ByteSize():
        raise OSError(f"Cannot parse file {meta_graph_or_file}: it is empty.")
    return meta_graph


@called_by_users
def import_scoped_meta_graph(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    graph: Graph | None = None,
    import_scope: str | None = None,
    input_map: Any = None,
    unbound_inputs_col_name: str | None = "unbound_inputs",
    restore_collections_predicate: Callable[[str], bool] = restores_all,
) -> dict[str, Any]:
    """Adds an exported graph with its collections to a graph. Returns its variables by their exported names; see
    `import_scoped_meta_graph_with_return_elements`."""
    return import_scoped_meta_graph_with_return_elements(
        meta_graph_or_file,
        clear_devices,
        graph,
        import_scope,
        input_map,
        unbound_inputs_col_name,
        restore_collections_predicate,
    )[0]


@called_by_users
def import_scoped_meta_graph_with_return_elements(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    graph: Graph | None = None,
    import_scope: str | None = None,
    input_map: Any = None,
    unbound_inputs_col_name: str | None = "unbound_inputs",
    restore_collections_predicate: Callable[[str], bool] = restores_all,
    return_elements: Any = None,
) -> tuple[dict[str, Any], list[Any] | None]:
    """Adds an exported graph with its collections to a graph.

    Args:
      meta_graph_or_file: a `MetaGraphDef`, or the name of a file with one.
      clear_devices: whether to ignore the devices of nodes.
      graph: a `Graph`; None: the default graph.
      import_scope: name scope for the imported operations; None: the current one.
      input_map: dict from tensor names in the exported graph to tensors that replace them; must include all unbound
        inputs.
      unbound_inputs_col_name: collection with the names of unbound inputs, the tensors from outside of an exported
        scope. It is not imported.
      restore_collections_predicate: takes the name of a collection; returns whether to restore it.
      return_elements: names of operations and tensors to return, or None.

    Returns:
      A pair: the global variables in the scope by their exported names, and the list of elements or None.

    Raises:
      ValueError: in eager execution, or if unbound inputs are missing in `input_map`.
    """
    if executing_eagerly():
        raise ValueError("Exporting/importing meta graphs is not supported when eager execution is enabled.")
    meta_graph = as_meta_graph(meta_graph_or_file)
    meta_graph_def = meta_graph.light
    unbound = unbound_inputs(meta_graph_def, unbound_inputs_col_name)
    if unbound and set(unbound) != set(input_map or ()):  # TensorFlow rejects an input used by two nodes in any case
        names = ",".join(unbound)
        raise ValueError(f"Graph contains unbound inputs: {names}. Must provide these inputs through input_map.")
    with (graph or get_default_graph()).as_default() as graph:
        info = meta_graph_def.meta_info_def
        scope = graph.unique_name(import_scope or "", mark_as_used=False)
        graph_def = with_local_names(meta_graph_def.graph_def)
        elements = import_without_large(
            _without_devices(graph_def) if clear_devices else graph_def,
            meta_graph.contents,
            name=import_scope or scope,
            input_map=input_map,
            producer_op_list=info.stripped_op_list if info.HasField("stripped_op_list") else None,
            return_elements=return_elements,
        )

        def wanted(key: str) -> bool:
            return key != unbound_inputs_col_name and restore_collections_predicate(key)

        restore_collections(meta_graph_def, graph, scope, wanted)
        variables = graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope)
        return {strip_name_scope(variable.name, scope): variable for variable in variables}, elements


def _without_devices(graph_def: Any) -> Any:
    copy = protos.GraphDef()
    copy.CopyFrom(graph_def)
    for node in copy.node:
        node.device = ""
    return copy


@called_by_users
def copy_scoped_meta_graph(
    from_scope: str, to_scope: str, from_graph: Graph | None = None, to_graph: Graph | None = None
) -> dict[str, Any]:
    """Copies the contents of a name scope to another scope, in the same or another graph (None: the default graph).
    Returns the variables of the copy by their names in the scope. ValueError if both are the same."""
    from_graph = from_graph or get_default_graph()
    to_graph = to_graph or get_default_graph()
    if from_graph is to_graph and from_scope == to_scope:
        raise ValueError("'from_scope' and 'to_scope' need to be different when performing copy in the same graph.")
    exported, _ = export_scoped_meta_graph(export_scope=from_scope, graph=from_graph)
    return import_scoped_meta_graph(exported, graph=to_graph, import_scope=to_scope)
