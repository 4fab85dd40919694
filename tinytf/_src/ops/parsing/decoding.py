"""Decoding of raw bytes and of CSV records."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.ops.arguments import renamed


@tf_export("io.decode_raw", "decode_raw")
@called_by_users
def decode_raw(
    input_bytes: Any = None,
    out_type: Any = None,
    little_endian: bool = True,
    name: str | None = None,
    bytes: Any = None,
) -> Tensor:
    """Reinterprets the bytes of each string as numbers.

    All strings must have the same length, a multiple of the size of `out_type`; otherwise InvalidArgumentError is
    raised at run time.

    Args:
      input_bytes: string tensor.
      out_type: numeric dtype.
      little_endian: bool, byte order of the input.
      name: optional name of the operation.
      bytes: deprecated name of `input_bytes`.

    Returns:
      A tensor of `out_type` with an additional last dimension.

    Raises:
      ValueError: if `out_type` is missing, or if the input is given under both names.
    """
    input_bytes = renamed("input_bytes", input_bytes, "bytes", bytes)
    if out_type is None:
        raise ValueError("decode_raw_v1() missing 1 positional argument: 'out_type'")
    return gen_ops.decode_raw(input_bytes, out_type, little_endian=little_endian, name=name)


@tf_export("io.decode_csv", "decode_csv")
@called_by_users
def decode_csv(
    records: Any,
    record_defaults: Any,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    name: str | None = None,
    na_value: str = "",
    select_cols: Any = None,
) -> list[Tensor]:
    """Parses CSV records such as `1,2.5,"some text"`.

    A record with another number of fields, or a field of another type, raises InvalidArgumentError at run time.

    Args:
      records: string tensor of records. Numbers may be surrounded by spaces.
      record_defaults: list with one tensor per field, of dtype float32, float64, int32, int64 or string: a scalar that
        replaces an empty field, or an empty vector if the field is required.
      field_delim: str, the character between fields.
      use_quote_delim: bool, whether double quotes may enclose fields; otherwise they are ordinary characters.
      name: optional name of the operation.
      na_value: str that also means an empty field.
      select_cols: optional list of the indices of the parsed fields, in ascending order; defaults to all.

    Returns:
      A list with one tensor per field, of the shape of `records`.

    Raises:
      ValueError: if `select_cols` is not ascending or negative, or does not match `record_defaults`.
    """
    if select_cols is not None:
        if any(here >= after for here, after in zip(select_cols, select_cols[1:], strict=False)):
            raise ValueError("select_cols is not strictly increasing.")
        if select_cols[0] < 0:
            raise ValueError("select_cols contains negative values.")
        if len(select_cols) != len(record_defaults):
            raise ValueError("Length of select_cols and record_defaults do not match.")
    return gen_ops.decode_csv(
        records,
        record_defaults,
        field_delim=field_delim,
        use_quote_delim=use_quote_delim,
        na_value=na_value,
        select_cols=[] if select_cols is None else select_cols,
        name=name,
    )
