"""TensorFlow's path to savers."""

from tinytf._src.checkpoint.checkpoint_state import (
    checkpoint_exists,
    generate_checkpoint_state_proto,
    get_checkpoint_mtimes,
    get_checkpoint_state,
    latest_checkpoint,
    remove_checkpoint,
    update_checkpoint_state,
)
from tinytf._src.checkpoint.object_checkpoints import object_graph_key_mapping
from tinytf._src.checkpoint.saved_graphs import export_meta_graph, import_meta_graph
from tinytf._src.checkpoint.saver import Saver
from tinytf._src.checkpoint.saver_builder import BaseSaverBuilder, BulkSaverBuilder

__all__ = [
    "BaseSaverBuilder",
    "BulkSaverBuilder",
    "Saver",
    "checkpoint_exists",
    "export_meta_graph",
    "generate_checkpoint_state_proto",
    "get_checkpoint_mtimes",
    "get_checkpoint_state",
    "import_meta_graph",
    "latest_checkpoint",
    "object_graph_key_mapping",
    "remove_checkpoint",
    "update_checkpoint_state",
]
