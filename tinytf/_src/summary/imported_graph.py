"""Writes graphs stored in files as events for TensorBoard."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_defs.importer import import_graph_def
from tinytf._src.platform import file_io
from tinytf._src.summary.file_writer import FileWriter


@called_by_users
def import_to_tensorboard(model_dir: Any, log_dir: Any) -> None:
    """Imports a serialized `GraphDef` under the name scope `import` and writes it as an event.

    Args:
      model_dir: path of the file with the `GraphDef`.
      log_dir: directory of the event file.
    """
    graph_def = protos.GraphDef.FromString(file_io.read_file_to_string(model_dir, binary_mode=True))
    with Graph().as_default() as graph:
        import_graph_def(graph_def)
    with FileWriter(log_dir) as writer:
        writer.add_graph(graph)
    print(f"Model Imported. Visualize by running: tensorboard --logdir={log_dir}")
