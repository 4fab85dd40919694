"""TensorFlow's path to the global step."""

from tinytf._src.training.training_util import (
    _get_or_create_global_step_read,
    assert_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
    global_step,
)
from tinytf.python.paths import other_names as _other_names

__all__ = [
    "_get_or_create_global_step_read",
    "assert_global_step",
    "create_global_step",
    "get_global_step",
    "get_or_create_global_step",
    "global_step",
]

__getattr__ = _other_names(globals())
