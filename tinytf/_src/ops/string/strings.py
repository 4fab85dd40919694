"""Lengths, substrings and splits of strings, and conversion to numbers."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.arguments import renamed


@tf_export("strings.length")
@called_by_users
def string_length(input: Any, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """Computes the length of each string.

    Args:
      input: string tensor.
      name: optional name of the operation.
      unit: "BYTE", or "UTF8_CHAR" for code points.

    Returns:
      An int32 tensor of the shape of `input`.
    """
    return gen_ops.string_length(input, unit=unit, name=name)


@tf_export("strings.substr", "substr")
@called_by_users
def substr(input: Any, pos: Any, len: Any, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """Extracts a substring of each string; a `pos` outside the string raises InvalidArgumentError at run time.

    Args:
      input: string tensor.
      pos: int32 or int64 tensor, start positions; negative values count from the end. It is broadcast with `input`.
      len: tensor of the dtype and shape of `pos`, maximum lengths.
      name: optional name of the operation.
      unit: "BYTE", or "UTF8_CHAR" for code points.

    Returns:
      A string tensor.
    """
    return gen_ops.substr(input, pos, len, unit=unit, name=name)


@tf_export("strings.to_number", "string_to_number")
@called_by_users
def string_to_number(
    string_tensor: Any = None, out_type: Any = dtypes.float32, name: str | None = None, input: Any = None
) -> Tensor:
    """Converts strings to numbers; invalid strings and integers out of range raise InvalidArgumentError at run time.

    Args:
      string_tensor: string tensor. Floats out of range become infinite.
      out_type: float32, float64, int32 or int64.
      name: optional name of the operation.
      input: another name of `string_tensor`.

    Returns:
      A tensor of `out_type`.

    Raises:
      ValueError: if the input is given under both names.
    """
    string_tensor = renamed("input", input, "string_tensor", string_tensor)
    return gen_ops.string_to_number(string_tensor, out_type, name=name)


@tf_export("string_split")
@called_by_users
def string_split(
    source: Any,
    sep: Any = None,
    skip_empty: bool = True,
    delimiter: Any = None,
    result_type: str = "SparseTensor",
    name: str | None = None,
) -> SparseTensor:
    """Splits strings at any of several separator bytes.

    Args:
      source: string vector.
      sep: str, the separator bytes; defaults to " ". If it is empty, strings are split to single bytes.
      skip_empty: bool, whether empty parts are skipped.
      delimiter: deprecated name of `sep`.
      result_type: must be "SparseTensor", because RaggedTensors are not supported.
      name: optional name of the name scope.

    Returns:
      A SparseTensor with one row of parts per string.

    Raises:
      ValueError: if `result_type` is not "SparseTensor", or if the separator is given under both names.
    """
    with name_scope(name, "StringSplit", [source]):
        sep = renamed("sep", sep, "delimiter", delimiter)
        sep = convert_to_tensor(" " if sep is None else sep, dtype=dtypes.string)
        source = convert_to_tensor(source, dtype=dtypes.string)
        parts = SparseTensor(*gen_ops.string_split(source, sep, skip_empty=skip_empty))
        _check_result_type(result_type)
        return parts


@tf_export("strings.split")
@called_by_users
def string_split_v2(
    input: Any = None,
    sep: Any = None,
    maxsplit: int = -1,
    result_type: str = "SparseTensor",
    source: Any = None,
    name: str | None = None,
) -> SparseTensor:
    """Splits strings at occurrences of a separator string.

    Args:
      input: string vector.
      sep: str; if it is None or empty, strings are split at white space.
      maxsplit: int, maximum number of splits per string; a negative number means no limit.
      result_type: must be "SparseTensor", because RaggedTensors are not supported.
      source: deprecated name of `input`.
      name: optional name of the name scope.

    Returns:
      A SparseTensor with one row of parts per string.

    Raises:
      ValueError: if `result_type` is not "SparseTensor", if `input` is not a vector, or if it is given under both
        names.
    """
    input = renamed("input", input, "source", source)
    with name_scope(name, "StringSplit", [input]):
        input = convert_to_tensor(input, dtype=dtypes.string, name="input")
        _check_result_type(result_type)
        if input.get_shape().ndims not in (None, 1):
            raise ValueError(f"The strings to split must be a vector, but have shape {input.get_shape()}")
        sep = convert_to_tensor("" if sep is None else sep, dtype=dtypes.string)
        return SparseTensor(*gen_ops.string_split_v2(input, sep, maxsplit=maxsplit))


def _check_result_type(result_type: str) -> None:
    if result_type == "RaggedTensor":
        raise ValueError("RaggedTensors are not supported: result_type must be 'SparseTensor'.")
    if result_type != "SparseTensor":
        raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")
