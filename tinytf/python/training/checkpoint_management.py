"""TensorFlow's path to the management of a directory's checkpoints."""

from tinytf._src.checkpoint.checkpoint_state import (
    checkpoint_exists,
    generate_checkpoint_state_proto,
    get_checkpoint_mtimes,
    get_checkpoint_state,
    latest_checkpoint,
    meta_graph_filename,
    remove_checkpoint,
    update_checkpoint_state,
)
from tinytf.python.paths import other_names as _other_names

__all__ = [
    "checkpoint_exists",
    "generate_checkpoint_state_proto",
    "get_checkpoint_mtimes",
    "get_checkpoint_state",
    "latest_checkpoint",
    "meta_graph_filename",
    "remove_checkpoint",
    "update_checkpoint_state",
]

__getattr__ = _other_names(globals())
