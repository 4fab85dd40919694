"""Assigns values from checkpoints or arrays to variables by feeding them, so that the values do not become part of the
graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

import tinytf as tf
from tinytf.contrib.framework.variables import get_variable_full_name

__all__ = ["assign_from_checkpoint", "assign_from_checkpoint_fn", "assign_from_values", "assign_from_values_fn"]

_Assignment = tuple[Any, dict[Any, Any]]  # an operation and its feeds


def assign_from_checkpoint(model_path: str, var_list: Any, ignore_missing_vars: bool = False) -> _Assignment:
    """Returns an operation that assigns values from a checkpoint to variables, and the dict to feed it with.

    Args:
      model_path: string, path prefix of the checkpoint.
      var_list: list of variables, or dict from names in the checkpoint to a variable or a list of its partitions.
      ignore_missing_vars: bool, whether variables that are missing in the checkpoint are skipped with a warning.

    Returns:
      A pair of the operation and the feed dict.

    Raises:
      ValueError: if a variable is missing and `ignore_missing_vars` is False, or if shapes differ.
    """
    reader = tf.train.NewCheckpointReader(model_path)
    assigns: list[Any] = []
    feeds: dict[Any, Any] = {}
    for name, variables in _grouped(var_list).items():
        if not reader.has_tensor(name):
            text = f"Checkpoint is missing variable [{name}]"
            if not ignore_missing_vars:
                raise ValueError(text)
            tf.logging.warning(text)
            continue
        value = np.asarray(reader.get_tensor(name))
        for variable in variables:
            info = variable._save_slice_info
            if info is None and variable.get_shape() != value.shape:
                raise ValueError(
                    f"Total size of new array must be unchanged for {name} lh_shape: [{value.shape}], "
                    f"rh_shape: [{variable.get_shape()}]"
                )
            part = value
            if info is not None:
                ends = zip(info.var_offset, info.var_shape, strict=True)
                part = value[tuple(slice(begin, begin + size) for begin, size in ends)]
            assigns.append(_assign(variable, part, feeds))
    return tf.group(*assigns), feeds


def _grouped(var_list: Any) -> dict[str, list[Any]]:
    if isinstance(var_list, dict):
        return {name: list(v) if isinstance(v, (tuple, list)) else [v] for name, v in var_list.items()}
    grouped: dict[str, list[Any]] = {}
    for variable in var_list:
        grouped.setdefault(get_variable_full_name(variable), []).append(variable)
    return grouped


def _assign(variable: Any, value: Any, feeds: dict[Any, Any]) -> Any:
    """Returns the assignment of a new placeholder and adds the value to the feeds."""
    placeholder = tf.placeholder(
        variable.dtype.base_dtype, variable.get_shape(), name=f"placeholder/{variable.op.name}"
    )
    feeds[placeholder] = value
    return variable.assign(placeholder)


def assign_from_checkpoint_fn(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False, reshape_variables: bool = False
) -> Callable[[Any], None] | None:
    """Returns a function that restores variables from a checkpoint in the session that it is called with.

    Args:
      model_path: string, path prefix of the checkpoint.
      var_list: list of variables, or dict from names in the checkpoint to variables.
      ignore_missing_vars: bool, whether variables that are missing in the checkpoint are skipped with a warning.
      reshape_variables: bool, whether values are reshaped to the shapes of the variables.

    Returns:
      The function, or None, with a warning, if there is nothing to restore.

    Raises:
      ValueError: if `var_list` is empty.
    """
    if not var_list:
        raise ValueError("var_list cannot be empty")
    if ignore_missing_vars:
        reader = tf.train.NewCheckpointReader(model_path)
        named = var_list if isinstance(var_list, dict) else {variable.op.name: variable for variable in var_list}
        for name in named:
            if not reader.has_tensor(name):
                tf.logging.warning("Variable %s missing in checkpoint %s", name, model_path)
        var_list = {name: variable for name, variable in named.items() if reader.has_tensor(name)}
    if not var_list:
        tf.logging.warning("No Variables to restore")
        return None
    saver = tf.train.Saver(var_list, reshape=reshape_variables)

    def restore(session: Any) -> None:
        saver.restore(session, model_path)

    return restore


def assign_from_values(var_names_to_values: Mapping[str, Any]) -> _Assignment:
    """Returns an operation that assigns arrays to global variables by name, and the dict to feed it with.

    Raises:
      ValueError: if a name does not identify exactly one variable.
    """
    assigns: list[Any] = []
    feeds: dict[Any, Any] = {}
    for name, value in var_names_to_values.items():
        variable = _named(name, tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, name))
        assigns.append(_assign(variable, value.reshape(variable.get_shape()), feeds))
    return tf.group(*assigns), feeds


def _named(name: str, found: Iterable[Any]) -> Any:
    found = list(found)
    if not found:
        raise ValueError(f"Variable {name} wasn't found")
    for variable in found:
        if variable.op.name == name or len(found) == 1:
            return variable
    raise ValueError(f"Variable {name} doesn't uniquely identify a variable")


def assign_from_values_fn(var_names_to_values: Mapping[str, Any]) -> Callable[[Any], Any]:
    """Returns a function that does the same in the session that it is called with."""
    assign, feeds = assign_from_values(var_names_to_values)

    def run(session: Any) -> Any:
        return session.run(assign, feeds)

    return run
