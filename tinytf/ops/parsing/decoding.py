"""Texts and bytes that hold values, one by one: raw memory and records of separated values."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.tensor import Tensor
from tinytf.ops.arguments import renamed


@tf_export("io.decode_raw", "decode_raw")
@called_by_users
def decode_raw(
    input_bytes: Any = None,
    out_type: Any = None,
    little_endian: bool = True,
    name: str | None = None,
    bytes: Any = None,
) -> Tensor:
    """The bytes of each string as numbers of type `out_type`, in a new last dimension.

    All strings must have as many bytes, a multiple of the size of a number: else InvalidArgumentError when run. `bytes` is
    an older name of `input_bytes`.
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
    """The fields of records such as `1,2.5,"some text"`: a tensor for each, in the shape of `records`.

    Args:
      records: strings, with the same fields each. Numbers may stand between spaces.
      record_defaults: for each field a value of the type that it has (float32, float64, int32, int64 or string), which
        stands for empty fields; or a vector without elements, where no field may be empty.
      field_delim: the character between fields.
      use_quote_delim: whether fields may stand in double quotes; else these are characters as others.
      na_value: another text that stands for an empty field.
      select_cols: the numbers of the fields that count, in ascending order; None: all.

    ValueError for numbers of fields that are not in order, or not as many as defaults. InvalidArgumentError when run for
    records with more or fewer fields, and for fields of another type.
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
