"""The shared tensor by which hooks read the global step."""

from __future__ import annotations

from typing import Any

from tinytf._src.training import training_util


def global_step_read(user: str) -> Any:
    """Returns a tensor that reads the default graph's global step, before or after the step's own update. RuntimeError,
    which names `user`, if there is no global step."""
    read = training_util._get_or_create_global_step_read()
    if read is None:
        raise RuntimeError(f"Global step should be created to use {user}.")
    return read
