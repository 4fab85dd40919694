"""TensorFlow's path to functions that read checkpoints and wait for new ones."""

from tinytf._src.checkpoint.checkpoint_init import init_from_checkpoint
from tinytf._src.checkpoint.checkpoint_reader import list_variables, load_checkpoint, load_variable
from tinytf._src.checkpoint.checkpoint_waiting import checkpoints_iterator, wait_for_new_checkpoint
from tinytf._src.checkpoint.restored_on_create import restore_variables_on_create

__all__ = [
    "checkpoints_iterator",
    "init_from_checkpoint",
    "list_variables",
    "load_checkpoint",
    "load_variable",
    "restore_variables_on_create",
    "wait_for_new_checkpoint",
]
