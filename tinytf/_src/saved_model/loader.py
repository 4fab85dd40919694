"""Loads SavedModels into sessions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.files_of_graphs import MetaGraphOfFile, read_saved_model
from tinytf._src.checkpoint.message_files import read_message
from tinytf._src.checkpoint.saved_graphs import import_meta_graph_with_return_elements
from tinytf._src.checkpoint.saved_names import all_saveable_objects
from tinytf._src.checkpoint.saver import Saver
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.logs import tf_logging
from tinytf._src.platform import file_io
from tinytf._src.saved_model import constants
from tinytf._src.saved_model.assets import asset_files
from tinytf._src.saved_model.folders import folder_name, model_files, variables_path
from tinytf._src.saved_model.signatures import load_op_from_signature_def


@called_by_users
def parse_saved_model(export_dir: Any) -> Any:
    """Reads the `SavedModel` message of a directory. OSError if there is none that can be read."""
    return read_message(_model_file(export_dir), protos.SavedModel)


def graphs_of_model(export_dir: Any) -> list[MetaGraphOfFile]:
    """Reads the graphs of the SavedModel in a directory. OSError if there is none that can be read."""
    return read_saved_model(_model_file(export_dir))[1]


def _model_file(export_dir: Any) -> str:
    for path in model_files(folder_name(export_dir)):
        if file_io.file_exists(path):
            return path
    names = f"{constants.SAVED_MODEL_FILENAME_PBTXT}|{constants.SAVED_MODEL_FILENAME_PB}"
    raise OSError(f"SavedModel file does not exist at: {export_dir}/{{{names}}}")


@tf_export("saved_model.load", "saved_model.loader.load")
@called_by_users
def load(sess: Any, tags: Iterable[str], export_dir: Any, import_scope: str | None = None, **saver_kwargs: Any) -> Any:
    """Imports a SavedModel's graph into a session's graph, restores its variables, and runs its main operation.

    Args:
      sess: the session.
      tags: the tags of the graph to load; the set must be complete.
      export_dir: the model's directory.
      import_scope: name scope for the imported operations, or None.
      **saver_kwargs: further arguments of `tf.train.import_meta_graph`.

    Returns:
      The `MetaGraphDef`, which has the signatures. For a model with large constants, an object with the fields and
      methods of one, which adds the constants to the message when its graph is accessed.

    Raises:
      OSError: if the directory has no SavedModel that can be read.
      RuntimeError: if no graph has these tags.

    Example:
      with tf.Session(graph=tf.Graph()) as sess:
        model = tf.saved_model.load(sess, [tf.saved_model.SERVING], "/tmp/model")
    """
    return SavedModelLoader(export_dir).load(sess, tags, import_scope, **saver_kwargs)


class SavedModelLoader:
    """Loads a SavedModel in separate steps: graph, variables, main operation.

    Args:
      export_dir: the model's directory.

    Raises:
      OSError: if the directory has no SavedModel that can be read.
    """

    def __init__(self, export_dir: Any) -> None:
        self._export_dir = folder_name(export_dir)
        self._saved_model, self._graphs = read_saved_model(_model_file(export_dir))

    @property
    def export_dir(self) -> str:
        """The model's directory."""
        return self._export_dir

    @property
    def variables_path(self) -> str:
        """The path prefix of the model's checkpoint."""
        return variables_path(self._export_dir)

    @property
    def saved_model(self) -> Any:
        """The complete `SavedModel` message."""
        for graph in self._graphs:
            graph.whole()
        return self._saved_model

    def get_meta_graph_def_from_tags(self, tags: Iterable[str]) -> Any:
        """Returns the `MetaGraphDef` with exactly these tags. RuntimeError if there is none."""
        return self.graph_of_tags(tags).whole()

    @property
    def graphs(self) -> list[MetaGraphOfFile]:
        """The graphs of the model."""
        return self._graphs

    def graph_of_tags(self, tags: Iterable[str]) -> MetaGraphOfFile:
        """Like `get_meta_graph_def_from_tags`, without adding large constants to the message."""
        tags = tags if isinstance(tags, (str, list, tuple, set, frozenset)) else list(tags)
        available = [set(graph.meta_info_def.tags) for graph in self._graphs]
        for graph, own in zip(self._graphs, available, strict=True):
            if own == set(tags):
                return graph
        raise RuntimeError(
            f"MetaGraphDef associated with tags {str(tags).strip('[]')} could not be found in SavedModel. To inspect "
            "available tag-sets in the SavedModel, please use the SavedModel CLI: `saved_model_cli`\n"
            f"available_tags: {available}"
        )

    def load_graph(
        self, graph: Graph, tags: Iterable[str], import_scope: str | None = None, **saver_kwargs: Any
    ) -> tuple[Saver | None, list[Any] | None]:
        """Imports the model's graph into `graph`. Returns the saver of its variables or None, and the requested
        elements."""
        meta_graph = self.graph_of_tags(tags)
        with graph.as_default():
            return import_meta_graph_with_return_elements(meta_graph, import_scope=import_scope, **saver_kwargs)

    def restore_variables(self, sess: Any, saver: Any, import_scope: str | None = None) -> None:
        """Restores the variables from the model's checkpoint."""
        with sess.graph.as_default():
            if saver is None and not all_saveable_objects(import_scope):
                tf_logging.info("The specified SavedModel has no variables; no checkpoints were restored.")
            elif isinstance(saver, Saver):
                saver.restore(sess, self.variables_path)
            else:
                raise ValueError(
                    "No tf.train.Saver object was passed to the function SavedModelLoader.restore_variables. Since there "
                    "are variables in the graph, a saver is required."
                )

    def run_init_ops(self, sess: Any, tags: Iterable[str], import_scope: str | None = None) -> None:
        """Runs the main operation, fed with the paths of the assets."""
        meta_graph_def = self.graph_of_tags(tags).light
        with sess.graph.as_default():
            op = get_init_op(meta_graph_def, import_scope)
            if op is not None:
                sess.run([op], asset_files(self._export_dir, meta_graph_def, import_scope))

    def load(self, sess: Any, tags: Iterable[str], import_scope: str | None = None, **saver_kwargs: Any) -> Any:
        """Performs all three steps; see the function `load`."""
        tags = tags if isinstance(tags, (str, list, tuple, set, frozenset)) else list(tags)
        saver, _ = self.load_graph(sess.graph, tags, import_scope, **saver_kwargs)
        self.restore_variables(sess, saver, import_scope)
        self.run_init_ops(sess, tags, import_scope)
        return self.graph_of_tags(tags).as_told()


def get_init_op(meta_graph_def: Any, import_scope: str | None = None) -> Any:
    """Returns the operation to run after loading; None if there is none. RuntimeError if the model names several."""
    key = constants.INIT_OP_SIGNATURE_KEY
    if key in meta_graph_def.signature_def:
        return load_op_from_signature_def(meta_graph_def.signature_def[key], key, import_scope)
    for key in (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY):
        if key in meta_graph_def.collection_def:
            names = meta_graph_def.collection_def[key].node_list.value
            if len(names) != 1:
                raise RuntimeError(f"Expected exactly one SavedModel init op. Found: {names}")
            return get_default_graph().get_collection(key)[0]
    return None
