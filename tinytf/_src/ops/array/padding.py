"""Padding of tensors."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import REPORTED, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import tensor_like
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.tensor_like import is_graph_tensor

__all__ = ["pad"]


@tf_export("pad")
def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", name: str | None = None, constant_values: Any = 0
) -> Tensor:
    """Pads a tensor.

    Args:
      tensor: tensor.
      paddings: int32 or int64 matrix [rank, 2] with the numbers of elements added before and after each dimension.
      mode: "CONSTANT", "REFLECT" (mirrored without the border element) or "SYMMETRIC" (mirrored with it), in any case.
      constant_values: scalar used by "CONSTANT".

    Returns:
      The padded tensor.

    Raises:
      ValueError: if `mode` is unknown.
    """
    try:
        mode = mode.upper()
        if mode == "CONSTANT":
            if not tensor_like.is_tensor(constant_values) and constant_values == 0:
                result = gen_ops.pad(tensor, paddings, name=name)
            else:
                result = gen_ops.pad_v2(tensor, paddings, constant_values, name=name)
        elif mode in ("REFLECT", "SYMMETRIC"):
            result = gen_ops.mirror_pad(tensor, paddings, mode=mode, name=name)
        else:
            raise ValueError(f"Unknown padding mode: {mode}")
        return _with_padded_shape(result)
    except REPORTED:
        leave_to_user()
        raise


def _with_padded_shape(result: Tensor) -> Tensor:
    """Sets the static size of each dimension whose paddings are constants."""
    if not is_graph_tensor(result):
        return result
    tensor, paddings = result.op.inputs[:2]
    if tensor.shape.ndims is None or result.shape.is_fully_defined():
        return result
    known = constant_value(paddings, partial=True)
    if known is None:
        return result
    extents: list[int | None] = []
    for padding, extent in zip(known, tensor.shape.as_list(), strict=True):
        if padding is None or extent is None or any(p is None for p in padding):
            extents.append(None)
        else:
            extents.append(int(sum(padding)) + extent)
    result.set_shape(extents)
    return result
