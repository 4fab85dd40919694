"""Freezes graphs: replaces variables by constants with the values of a checkpoint."""

from __future__ import annotations

import re
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.checkpoint_reader import new_checkpoint_reader
from tinytf._src.checkpoint.checkpoint_state import checkpoint_exists
from tinytf._src.checkpoint.message_files import read_message
from tinytf._src.checkpoint.saved_graphs import import_meta_graph
from tinytf._src.checkpoint.saver import Saver
from tinytf._src.checkpoint.saver_builder import V2
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_defs.graph_util import convert_variables_to_constants
from tinytf._src.framework.graph_defs.importer import import_graph_def
from tinytf._src.platform import file_io
from tinytf._src.saved_model import constants
from tinytf._src.saved_model.loader import SavedModelLoader
from tinytf._src.saved_model.tools.model_graphs import get_meta_graph_def
from tinytf._src.session.session import Session


@called_by_users
def freeze_graph(
    input_graph: str | None,
    input_saver: str | None,
    input_binary: bool,
    input_checkpoint: str | None,
    output_node_names: str,
    restore_op_name: str | None,
    filename_tensor_name: str | None,
    output_graph: str | None,
    clear_devices: bool,
    initializer_nodes: str | None,
    variable_names_whitelist: str = "",
    variable_names_blacklist: str = "",
    input_meta_graph: str | None = None,
    input_saved_model_dir: str | None = None,
    saved_model_tags: str = constants.SERVING,
    checkpoint_version: int = V2,
) -> Any:
    """Replaces the variables of a graph by constants with the values of a checkpoint, and prunes it to some output
    nodes.

    Args:
      input_graph: file with a `GraphDef`; or give `input_meta_graph`, a file with a `MetaGraphDef`, or
        `input_saved_model_dir` with `saved_model_tags`.
      input_saver: file with the graph's `SaverDef`, or None.
      input_binary: ignored; both binary and text files are read.
      input_checkpoint: the checkpoint; not needed for a SavedModel.
      output_node_names: names, separated by commas, as in all lists here.
      restore_op_name, filename_tensor_name: ignored, as in TensorFlow.
      output_graph: file to write the graph to, or None.
      clear_devices: whether nodes lack their devices.
      initializer_nodes: operations to run before freezing.
      variable_names_whitelist, variable_names_blacklist: variables to freeze, and variables not to freeze; empty: all
        are frozen.
      checkpoint_version: ignored.

    Returns:
      The `GraphDef`.

    Raises:
      ValueError: if the checkpoint does not exist, no output is named, or the graph has no variables.
    """
    graph_def = None
    if input_saved_model_dir:
        graph_def = get_meta_graph_def(input_saved_model_dir, saved_model_tags).graph_def
    elif input_graph:
        graph_def = read_message(input_graph, protos.GraphDef, "Input graph file '{}' does not exist!")
    return freeze_graph_with_def_protos(
        graph_def,
        read_message(input_saver, protos.SaverDef, "Input saver file '{}' does not exist!") if input_saver else None,
        input_checkpoint,
        output_node_names,
        restore_op_name,
        filename_tensor_name,
        output_graph,
        clear_devices,
        initializer_nodes,
        variable_names_whitelist,
        variable_names_blacklist,
        read_message(input_meta_graph, protos.MetaGraphDef, "Input meta graph file '{}' does not exist!")
        if input_meta_graph
        else None,
        input_saved_model_dir,
        _names(saved_model_tags),
        checkpoint_version,
    )


@called_by_users
def freeze_graph_with_def_protos(
    input_graph_def: Any,
    input_saver_def: Any,
    input_checkpoint: str | None,
    output_node_names: str,
    restore_op_name: str | None,
    filename_tensor_name: str | None,
    output_graph: str | None,
    clear_devices: bool,
    initializer_nodes: str | None,
    variable_names_whitelist: str = "",
    variable_names_blacklist: str = "",
    input_meta_graph_def: Any = None,
    input_saved_model_dir: str | None = None,
    saved_model_tags: list[str] | None = None,
    checkpoint_version: int = V2,
) -> Any:
    """Like `freeze_graph`, given messages instead of files."""
    del restore_op_name, filename_tensor_name
    if not input_saved_model_dir and not (input_checkpoint and checkpoint_exists(input_checkpoint)):
        raise ValueError(f"Input checkpoint '{input_checkpoint}' doesn't exist!")
    if not output_node_names:
        raise ValueError("You need to supply the name of a node to --output_node_names.")
    graph_def = input_graph_def if input_meta_graph_def is None else input_meta_graph_def.graph_def
    if graph_def is None:
        graph_def = protos.GraphDef()
    if clear_devices:
        graph_def = _without_devices(graph_def)
    with Graph().as_default(), Session() as sess:
        if input_saved_model_dir and input_saver_def is None and input_meta_graph_def is None:
            SavedModelLoader(input_saved_model_dir).load(sess, saved_model_tags or [])
        else:
            _restore(sess, graph_def, input_saver_def, input_meta_graph_def, input_checkpoint)
            if initializer_nodes:
                sess.run(_names(initializer_nodes))
        frozen = convert_variables_to_constants(
            sess,
            graph_def,
            _names(output_node_names),
            _names(variable_names_whitelist) or None,
            _names(variable_names_blacklist) or None,
        )
    if output_graph:
        file_io.atomic_write_string_to_file(output_graph, frozen.SerializeToString())
    return frozen


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()] if text else []


def _without_devices(graph_def: Any) -> Any:
    copy = protos.GraphDef()
    copy.CopyFrom(graph_def)
    for node in copy.node:
        node.device = ""
    return copy


def _restore(sess: Any, graph_def: Any, saver_def: Any, meta_graph_def: Any, checkpoint: Any) -> None:
    """Imports the graph into the default graph and restores it from the checkpoint."""
    if saver_def is None and meta_graph_def is not None:
        saver = import_meta_graph(meta_graph_def, clear_devices=True)
        if saver is not None:
            saver.restore(sess, checkpoint)
        return
    import_graph_def(graph_def, name="")
    if saver_def is not None:
        Saver(saver_def=saver_def).restore(sess, checkpoint)
        return
    graph = sess.graph
    saved = new_checkpoint_reader(checkpoint).get_variable_to_shape_map()
    names = {op.name for op in graph.get_operations()}
    variables = {name: graph.get_tensor_by_name(f"{name}:0") for name in saved if name in names}
    try:
        Saver(variables).restore(sess, checkpoint)
    except TypeError:
        if any(re.search(f"^{re.escape(name)}/part_\\d+", other) for name in saved for other in names):
            raise ValueError(
                "Models containing partition variables cannot be converted from checkpoint files. Please pass in a SavedModel "
                "using the flag --input_saved_model_dir."
            ) from None
        if not any(op._spec.is_variable for op in graph.get_operations()):
            raise ValueError(
                "No variables were found in this model. It is likely the model was frozen previously. You cannot freeze a graph "
                "twice."
            ) from None
        raise
