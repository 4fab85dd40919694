"""Transposition of tensors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.shape_ops import rank

__all__ = ["matrix_transpose", "transpose"]


@tf_export("transpose")
def transpose(a: Any, perm: Any = None, name: str = "transpose", conjugate: bool = False) -> Tensor:
    """Permutes the dimensions of a tensor.

    Args:
      a: tensor.
      perm: int32 or int64 vector; dimension i of the result is dimension `perm[i]` of `a`. Reverses all dimensions if
        None.
      conjugate: bool, whether complex elements are conjugated.

    Returns:
      The transposed tensor.
    """
    with name_scope(name, "transpose", [a]) as scope:
        move = gen_ops.conjugate_transpose if conjugate and a.dtype.is_complex else gen_ops.transpose
        if perm is not None:
            return move(a, perm, name=scope)
        a = convert_to_tensor(a, name="a")
        ndims = a.shape.ndims
        if not ndims:
            count = gen_ops.rank(a)
            return move(a, (count - 1) - gen_ops.range(0, count, 1), name=scope)
        result = move(a, (ndims - 1) - np.arange(ndims), name=scope)
        result.set_shape(a.shape.dims[::-1])
        return result


@tf_export("linalg.matrix_transpose", "linalg.transpose", "matrix_transpose")
def matrix_transpose(a: Any, name: str = "matrix_transpose", conjugate: bool = False) -> Tensor:
    """Swaps the last two dimensions of a tensor of rank 2 or more; `conjugate` also conjugates complex elements.

    Raises:
      ValueError: if the rank is known to be less than 2.
    """
    with name_scope(name, values=[a]):
        a = convert_to_tensor(a, name="a")
        ndims = a.shape.ndims
        if ndims is None:
            count = rank(a)
            perm: Any = concat((gen_ops.range(0, count - 2, 1), [count - 1, count - 2]), 0)
        elif ndims < 2:
            raise ValueError(f"Argument 'a' should be a (batch) matrix, with rank >= 2.  Found: {a.shape}")
        else:
            perm = [*range(ndims - 2), ndims - 1, ndims - 2]
        return transpose(a, perm=perm, conjugate=conjugate)
