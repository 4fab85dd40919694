"""Prints the contents of checkpoints in TensorFlow's format."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tinytf._src.checkpoint.checkpoint_reader import new_checkpoint_reader
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users


@called_by_users
def print_tensors_in_checkpoint_file(
    file_name: str,
    tensor_name: str | None,
    all_tensors: bool,
    all_tensor_names: bool = False,
    count_exclude_pattern: str = "",
) -> None:
    """Prints tensors of a checkpoint, and the total number of parameters. Errors are printed, too, as in TensorFlow.

    Args:
      file_name: the checkpoint's name.
      tensor_name: the tensor to print; if neither this nor `all_tensors` is given, one line for each tensor is printed.
      all_tensors, all_tensor_names: whether to print all tensors, with or without values.
      count_exclude_pattern: regular expression of tensors to exclude from the count.
    """
    try:
        _print_tensors(
            new_checkpoint_reader(file_name), tensor_name, all_tensors, all_tensor_names, count_exclude_pattern
        )
    except errors_impl.OpError as error:
        print(error)
        if isinstance(error, errors_impl.DataLossError) and re.search(r"\.(index|meta|data)", file_name):
            print(
                f"{file_name} is one file of a checkpoint. Pass the name of the checkpoint: {file_name.rpartition('.')[0]}"
            )


def _print_tensors(
    reader: Any, tensor_name: str | None, all_tensors: bool, all_tensor_names: bool, count_exclude_pattern: str
) -> None:
    shapes = reader.get_variable_to_shape_map()
    if all_tensors or all_tensor_names:
        for name in sorted(shapes):
            print("tensor_name: ", name)
            if all_tensors:
                print(reader.get_tensor(name))
    elif not tensor_name:
        print(reader.debug_string().decode(errors="ignore"))
    else:
        print("tensor_name: ", tensor_name)
        print(reader.get_tensor(tensor_name))
    sizes = {name: int(np.prod(shape)) for name, shape in shapes.items()}
    if count_exclude_pattern:
        excluded = [sizes.pop(name) for name in list(sizes) if re.match(count_exclude_pattern, name)]
        print(
            f"# Excluding {len(excluded)} tensors ({sum(excluded)} params) that match {count_exclude_pattern} when counting."
        )
    print(f"# Total number of params: {sum(sizes.values())}")
