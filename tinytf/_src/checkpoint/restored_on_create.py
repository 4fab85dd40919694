"""Initializes new variables from a checkpoint in eager execution."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._src.checkpoint.checkpoint_reader import load_checkpoint
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors import errors_impl
from tinytf._src.variables.made_variables import watch_made_variables


@contextmanager
def restore_variables_on_create(save_path: str | None, map_func: Callable[[str], str] | None = None) -> Iterator[None]:
    """Returns a context manager in which new variables are initialized from a checkpoint, each value being used once.

    Args:
      save_path: the checkpoint's name; None: no checkpoint.
      map_func: maps a variable's name to its name in the checkpoint; None: the same name.

    Raises:
      NotFoundError: in the body, for a variable that the checkpoint lacks.
      ValueError: outside of eager execution.
    """
    if not executing_eagerly():
        raise ValueError("Currently, restore_variables_on_create can only be used with eager execution enabled.")
    if not save_path:
        yield
        return
    if map_func is not None and not callable(map_func):
        raise ValueError("map_func must be callable.")
    reader = load_checkpoint(save_path)
    names = set(reader.get_variable_to_shape_map())
    given: set[str] = set()

    def restore(variable: Any) -> None:
        name = variable._shared_name if map_func is None else map_func(variable._shared_name)
        if name not in names:
            raise errors_impl.NotFoundError(None, None, f"{name} not found in checkpoint")
        if name not in given:
            given.add(name)
            variable.assign(reader.get_tensor(name))

    with watch_made_variables(restore):
        yield
