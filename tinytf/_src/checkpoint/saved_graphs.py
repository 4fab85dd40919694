"""`tf.train.export_meta_graph` and `tf.train.import_meta_graph`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from tinytf._src.checkpoint.meta_graph_export import export_scoped_meta_graph
from tinytf._src.checkpoint.meta_graph_import import (
    as_meta_graph,
    import_scoped_meta_graph_with_return_elements,
    restores_all,
)
from tinytf._src.checkpoint.saved_names import all_saveable_objects
from tinytf._src.checkpoint.saver import Saver
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.logs import tf_logging

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
    """Returns the `MetaGraphDef` of a graph: its nodes, collections, and the ops that it uses.

    Args:
      filename: a file to write the message to, or None.
      meta_info_def: a `MetaInfoDef` to start with, or None.
      graph_def: a `GraphDef` in place of `graph`'s, or None.
      saver_def: the `SaverDef` to include, or None.
      collection_list: names of the collections to include; None: all.
      as_text: bool, whether to write text instead of binary form.
      graph: a `Graph`; None: the default graph.
      export_scope: only nodes and values in this name scope are exported, without it in their names; None: all.
      clear_devices: bool, whether nodes lack their devices.
      clear_extraneous_savers: bool, whether to leave out savers other than `saver_def`'s, including their nodes.
      strip_default_attrs: bool, whether nodes lack attrs with default values, so that programs can read the graph that
        do not know these attrs.
      save_debug_info: bool, whether to write the creation sites of the operations to a second file, with the extension
        `.debug`.
      unbound_inputs_col_name: collection for the names of tensors outside of the scope that its nodes use as inputs.

    Raises:
      RuntimeError: in eager execution, unless `graph_def` and `graph` are given.
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
    """Imports an exported graph with its collections into the default graph.

    Args:
      meta_graph_or_file: a `MetaGraphDef`, or the name of a file with one.
      clear_devices: bool, whether to ignore the devices of nodes.
      import_scope: name scope for the imported operations, or None.
      graph, input_map, unbound_inputs_col_name, restore_collections_predicate: as of `import_scoped_meta_graph`.
      return_elements: names of operations and tensors that the graph must have, or None.

    Returns:
      The saver that was exported with the graph, else one of all variables; None if there are no variables.

    Raises:
      RuntimeError: in eager execution.
      OSError: if the file does not exist or has no `MetaGraphDef`.
      ValueError: if `return_elements` or unbound inputs are missing.

    Example:
      with tf.Session(graph=tf.Graph()) as sess:
        saver = tf.train.import_meta_graph("/tmp/model.ckpt-1000.meta")
        saver.restore(sess, "/tmp/model.ckpt-1000")
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
    """Like `import_meta_graph`; additionally returns the elements in `return_elements`."""
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
        for name, variable in variables.items():  # any variable shows the actual scope
            scope = variable.name.removesuffix(name)
            break
        return Saver(saver_def=meta_graph.saver_def, name=scope), elements
    if all_saveable_objects(import_scope):
        return Saver(), elements
    tf_logging.info("Saver not created because there are no variables in the graph to restore")
    return None, elements
