"""Parts of strings, and the numbers that they are."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.name_scope import name_scope
from tinytf.framework.sparse_tensor import SparseTensor
from tinytf.framework.tensor import Tensor
from tinytf.ops.arguments import renamed


@tf_export("strings.length")
@called_by_users
def string_length(input: Any, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """How many bytes, or characters of UTF-8 (`unit` "UTF8_CHAR"), each string has: int32."""
    return gen_ops.string_length(input, unit=unit, name=name)


@tf_export("strings.substr", "substr")
@called_by_users
def substr(input: Any, pos: Any, len: Any, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """`len` bytes, or characters of UTF-8 (`unit` "UTF8_CHAR"), of each string from `pos` on; fewer where it ends.

    `pos` and `len` are int32 or int64, of one shape, and are broadcast with the strings; a negative `pos` counts from the
    end. InvalidArgumentError when run for a `pos` beyond the string.
    """
    return gen_ops.substr(input, pos, len, unit=unit, name=name)


@tf_export("strings.to_number", "string_to_number")
@called_by_users
def string_to_number(
    string_tensor: Any = None, out_type: Any = dtypes.float32, name: str | None = None, input: Any = None
) -> Tensor:
    """Each string as the number that it is, of type float32, float64, int32 or int64.

    InvalidArgumentError when run for strings that are none, and integers that are too large; floats that are too large
    are infinite. `input` is another name of `string_tensor`.
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
    """The parts of each string of a vector between any bytes of `sep` (" "): a SparseTensor with a row for each string.

    With an empty `sep`, its single bytes. Empty parts do not count if `skip_empty`. `delimiter` is an older name of
    `sep`. There are no RaggedTensors: ValueError for other results than a SparseTensor.
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
    """The parts of each string of a vector between occurrences of `sep`, a SparseTensor with a row for each string.

    Without a `sep`, or with an empty one, the words between white space. At most `maxsplit` cuts are made in a string,
    unless that is negative. `source` is an older name of `input`. There are no RaggedTensors: ValueError for other
    results than a SparseTensor, and for other inputs than vectors.
    """
    input = renamed("input", input, "source", source)
    with name_scope(name, "StringSplit", [input]):
        input = convert_to_tensor(input, dtype=dtypes.string, name="input")
        _check_result_type(result_type)
        if input.get_shape().ndims not in (None, 1):
            raise ValueError(f"Strings to be split must be a vector, not of shape {input.get_shape()}")
        sep = convert_to_tensor("" if sep is None else sep, dtype=dtypes.string)
        return SparseTensor(*gen_ops.string_split_v2(input, sep, maxsplit=maxsplit))


def _check_result_type(result_type: str) -> None:
    if result_type == "RaggedTensor":
        raise ValueError("There are no RaggedTensors: result_type must be 'SparseTensor'.")
    if result_type != "SparseTensor":
        raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")
