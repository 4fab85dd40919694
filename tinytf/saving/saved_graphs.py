"""Graphs exported for others, and imported with a saver for their variables."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework import tf_logging
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.graph import Graph
from tinytf.saving.meta_graph_export import export_scoped_meta_graph
from tinytf.saving.meta_graph_import import (
    as_meta_graph,
    import_scoped_meta_graph_with_return_elements,
    restores_all,
)
from tinytf.saving.saved_names import all_saveable_objects
from tinytf.saving.saver import Saver

_NO_GRAPH = (
    "Exporting/importing meta graphs is not supported when eager execution is enabled. No graph exists when eager execution "
    "is enabled."
)


@tf_export("train.export_meta_graph")
@called_by_users
def export_meta_graph(
    filename: str | None = None,
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Collection[Any] | None = None,
    as_text: bool = False,
    graph: Graph | None = None,
    export_scope: str | None = None,
    clear_devices: bool = False,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    *,
    unbound_inputs_col_name: str | None = "unbound_inputs",
) -> Any:
    """The `MetaGraphDef` of a graph: its nodes, its collections, and the ops that it uses.

    Args:
      filename: a file to write it to as well.
      meta_info_def: a `MetaInfoDef` to begin with.
      graph_def: in place of that of `graph`.
      saver_def: of the saver that it is to have.
      collection_list: names of the collections to tell; all when None.
      as_text: writes text.
      graph: the default graph when None.
      export_scope: only what is in this name scope, which all names then lack.
      clear_devices: nodes name no device.
      clear_extraneous_savers: without savers other than that of `saver_def`, and without their nodes.
      strip_default_attrs: nodes lack attrs that have the default: programs can read it that do not know them.
      save_debug_info: also writes where in the program the operations were made, to a file beside that ends in `.debug`.
      unbound_inputs_col_name: the collection that gets the names of tensors that the scope takes from outside.
    """
    if executing_eagerly() and (graph_def is None or graph is None):
        raise RuntimeError(_NO_GRAPH)
    return export_scoped_meta_graph(
        filename,
        graph_def,
        graph,
        export_scope,
        as_text,
        unbound_inputs_col_name,
        clear_devices,
        saver_def,
        clear_extraneous_savers,
        strip_default_attrs,
        save_debug_info,
        meta_info_def=meta_info_def,
        collection_list=collection_list,
    )[0]


@tf_export("train.import_meta_graph")
@called_by_users
def import_meta_graph(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    import_scope: str | None = None,
    *,
    graph: Graph | None = None,
    input_map: Any = None,
    unbound_inputs_col_name: str | None = "unbound_inputs",
    restore_collections_predicate: Callable[[str], bool] = restores_all,
    return_elements: Any = None,
) -> Saver | None:
    """Adds an exported graph with its collections to the default graph, and returns a saver for its variables: its own, else
    one of all variables; None if there are none.

    Args:
      meta_graph_or_file: a `MetaGraphDef`, or the name of a file that has one. OSError if there is no such file.
      clear_devices: the operations are on no device that the exported ones asked for.
      import_scope: a name scope for all of it.
      graph, input_map, unbound_inputs_col_name, restore_collections_predicate: as in `import_scoped_meta_graph`.
      return_elements: names of the graph, which has to have them: ValueError else.
    """
    return import_meta_graph_with_return_elements(
        meta_graph_or_file,
        clear_devices,
        import_scope,
        return_elements,
        graph=graph,
        input_map=input_map,
        unbound_inputs_col_name=unbound_inputs_col_name,
        restore_collections_predicate=restore_collections_predicate,
    )[0]


def import_meta_graph_with_return_elements(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    import_scope: str | None = None,
    return_elements: Any = None,
    **options: Any,
) -> tuple[Saver | None, list[Any] | None]:
    """As `import_meta_graph`, and returns the elements that are named, too."""
    if executing_eagerly():
        raise RuntimeError(_NO_GRAPH)
    meta_graph = as_meta_graph(meta_graph_or_file)
    variables, elements = import_scoped_meta_graph_with_return_elements(
        meta_graph,
        clear_devices=clear_devices,
        import_scope=import_scope,
        return_elements=return_elements,
        **options,
    )
    if meta_graph.light.HasField("saver_def"):
        scope = import_scope
        for name, variable in variables.items():  # in what scope it is now shows in any
            scope = variable.name.removesuffix(name)
            break
        return Saver(saver_def=meta_graph.saver_def, name=scope), elements
    if all_saveable_objects(import_scope):
        return Saver(), elements
    tf_logging.info("Saver not created because there are no variables in the graph to restore")
    return None, elements
