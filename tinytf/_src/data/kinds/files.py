"""Datasets of the names of files."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array_ops import shape
from tinytf._src.ops.control_flow.assertions import Assert
from tinytf._src.ops.string.joining import reduce_join


def matching_files(file_pattern: Any) -> Any:
    """Returns a string vector of the sorted names of files that match a pattern. Running it fails with
    InvalidArgumentError if there are none."""
    pattern = convert_to_tensor(file_pattern, dtype=dtypes.string, name="file_pattern")
    files = gen_ops.matching_files(pattern)
    condition = gen_ops.greater(shape(files)[0], 0, name="match_not_empty")
    joined = reduce_join(pattern, separator=", ")
    message = gen_ops.add("No files matched pattern: ", joined, name="message")
    check = Assert(condition, [message], summarize=1, name="assert_not_empty")
    with control_dependencies([check]):
        return gen_ops.identity(files)


def buffer_size_of(files: Any) -> Any:
    """Returns the number of files, at least 1."""
    return gen_ops.maximum(shape(files, out_type=dtypes.int64)[0], 1)
