"""One-hot vectors."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes

__all__ = ["one_hot"]


@tf_export("one_hot")
def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """Creates vectors with `on_value` at the given indices and `off_value` elsewhere.

    Args:
      indices: integer tensor.
      depth: int32 scalar, length of the vectors.
      on_value: optional scalar; defaults to 1.
      off_value: optional scalar; defaults to 0.
      axis: optional int, position of the new dimension; defaults to the last.
      dtype: dtype of the result; defaults to that of the values, else float32.

    Returns:
      A tensor of the rank of `indices` plus 1.

    Raises:
      TypeError: if the dtypes of `on_value`, `off_value` and `dtype` differ.
    """
    with name_scope(name, "one_hot", [indices, depth, on_value, off_value, axis, dtype]) as scope:
        on_exists, off_exists = on_value is not None, off_value is not None
        dtype = None if dtype is None else dtypes.as_dtype(dtype)
        on_dtype = convert_to_tensor(on_value, dtype_hint=dtype).dtype.base_dtype if on_exists else None
        off_dtype = convert_to_tensor(off_value, dtype_hint=dtype).dtype.base_dtype if off_exists else None
        if dtype is not None:
            for exists, found, what in ((on_exists, on_dtype, "on_value"), (off_exists, off_dtype, "off_value")):
                if exists and found is not dtype:
                    raise TypeError(f"dtype {found} of {what} does not match dtype parameter {dtype}")
        else:
            dtype = on_dtype or off_dtype or dtypes.float32
        if not on_exists:
            on_value, on_dtype = convert_to_tensor(1, dtype, name="on_value"), dtype
        if not off_exists:
            off_value, off_dtype = convert_to_tensor(0, dtype, name="off_value"), dtype
        if on_dtype is not off_dtype:
            raise TypeError(f"dtype {on_dtype} of on_value does not match dtype {off_dtype} of off_value")
        return gen_ops.one_hot(indices, depth, on_value, off_value, -1 if axis is None else axis, name=scope)
