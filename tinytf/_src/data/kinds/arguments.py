"""Conversion of the arguments of datasets to tensors."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes


def int64(value: Any, name: str) -> Any:
    """Returns the argument of this name as an int64 tensor."""
    return convert_to_tensor(value, dtype=dtypes.int64, name=name)


def boolean(value: Any, name: str) -> Any:
    """Returns the argument of this name as a bool tensor."""
    return convert_to_tensor(value, dtype=dtypes.bool, name=name)


def optional_tensor(name: str, value: Any, default: Any = 0, dtype: Any = dtypes.int64) -> Any:
    """Returns the argument of this name as a tensor; None stands for `default`."""
    if value is None:
        return constant(default, dtype=dtype, name=name)
    return convert_to_tensor(value, dtype=dtype, name=name)
