"""Coordinate grids."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops.array.constant_tensors import ones as ones_of
from tinytf._src.ops.array.joining import stack
from tinytf._src.ops.array.shape_ops import reshape, size

__all__ = ["meshgrid"]


@tf_export("meshgrid")
def meshgrid(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Creates coordinate grids from N vectors or scalars.

    Args:
      *args: N vectors or scalars.
      **kwargs: `indexing`, "xy" (default, the first two dimensions are swapped) or "ij", and `name`.

    Returns:
      A list of N tensors of rank N.

    Raises:
      ValueError: if `indexing` is unknown.
      TypeError: if there is another keyword argument.
    """
    indexing = kwargs.pop("indexing", "xy")
    name = kwargs.pop("name", "meshgrid")
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function")
    if indexing not in ("xy", "ij"):
        raise ValueError("indexing parameter must be either 'xy' or 'ij'")
    with name_scope(name, "meshgrid", args):
        ndim = len(args)
        ones = (1,) * ndim
        if not ndim:
            return []
        grids = [reshape(stack(v), (*ones[:i], -1, *ones[i + 1 :])) for i, v in enumerate(args)]
        shapes = [size(vector) for vector in args]
        dtype = convert_to_tensor(args[0]).dtype.base_dtype
        if indexing == "xy" and ndim > 1:
            grids[0] = reshape(grids[0], (1, -1, *ones[2:]))
            grids[1] = reshape(grids[1], (-1, 1, *ones[2:]))
            shapes[0], shapes[1] = shapes[1], shapes[0]
        factor = ones_of(shapes, dtype)
        return [grid * factor for grid in grids]
