"""Updates of slices of a variable, for reference and resource variables alike."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.name_scope import name_scope
from tinytf.ops.array.filling import ones_like
from tinytf.ops.array.joining import concat
from tinytf.ops.array.shape_ops import expand_dims, shape


def reference_of(ref: Any) -> Any:
    """`ref` as something a reference input takes, a variable as its reference; None for a resource variable."""
    dtype = getattr(ref, "dtype", None)
    if not isinstance(dtype, dtypes.DType) or not dtype._is_ref_dtype:
        return None
    reference = getattr(ref, "_ref", None)
    return ref if reference is None else reference()


def _scatter(kind: str, ref: Any, indices: Any, updates: Any, use_locking: bool, name: str | None) -> Any:
    reference = reference_of(ref)
    if reference is not None:
        return getattr(gen_ops, f"scatter_{kind}")(reference, indices, updates, use_locking=use_locking, name=name)
    updates = convert_to_tensor(updates, dtype=ref.dtype)
    return ref._after(getattr(gen_ops, f"resource_scatter_{kind}")(ref.handle, indices, updates, name=name))


@tf_export("scatter_update")
def scatter_update(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
    """`ref[indices] = updates` along dimension 0; with repeated indices the last one wins. The variable afterwards."""
    return _scatter("update", ref, indices, updates, use_locking, name)


@tf_export("scatter_add")
def scatter_add(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """`ref[indices] += updates` along dimension 0; repeated indices add up. The variable afterwards."""
    return _scatter("add", ref, indices, updates, use_locking, name)


@tf_export("scatter_sub")
def scatter_sub(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """`ref[indices] -= updates` along dimension 0; repeated indices add up. The variable afterwards."""
    return _scatter("sub", ref, indices, updates, use_locking, name)


@tf_export("scatter_mul")
def scatter_mul(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """`ref[indices] *= updates` along dimension 0; repeated indices multiply. The variable afterwards."""
    return _scatter("mul", ref, indices, updates, use_locking, name)


@tf_export("scatter_div")
def scatter_div(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """`ref[indices] /= updates` along dimension 0; repeated indices divide. The variable afterwards."""
    return _scatter("div", ref, indices, updates, use_locking, name)


@tf_export("scatter_min")
def scatter_min(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """`ref[indices] = min(ref[indices], updates)` along dimension 0. The variable afterwards."""
    return _scatter("min", ref, indices, updates, use_locking, name)


@tf_export("scatter_max")
def scatter_max(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """`ref[indices] = max(ref[indices], updates)` along dimension 0. The variable afterwards."""
    return _scatter("max", ref, indices, updates, use_locking, name)


@tf_export("scatter_nd_update")
def scatter_nd_update(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
    """Replaces slices of a variable at n-dimensional `indices` (shape [..., depth])."""
    return _scatter("nd_update", ref, indices, updates, use_locking, name)


@tf_export("scatter_nd_add")
def scatter_nd_add(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Adds to slices of a variable at n-dimensional `indices` (shape [..., depth])."""
    return _scatter("nd_add", ref, indices, updates, use_locking, name)


@tf_export("scatter_nd_sub")
def scatter_nd_sub(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Subtracts from slices of a variable at n-dimensional `indices` (shape [..., depth])."""
    return _scatter("nd_sub", ref, indices, updates, use_locking, name)


@tf_export("batch_scatter_update")
def batch_scatter_update(
    ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None
) -> Any:
    """`ref[i1, …, in, indices[i1, …, in, j]] = updates[i1, …, in, j]`: the leading dimensions of all three are one batch.

    Args:
      ref: a reference or resource variable.
      indices: int32 or int64. With a vector this is `scatter_update`.
      updates: of the variable's dtype and of shape `indices.shape + ref.shape[indices.ndims:]`.

    Returns the variable afterwards. Raises ValueError if the rank of `indices` is not known.
    """
    with name_scope(name):
        indices = convert_to_tensor(indices, name="indices")
        sizes = shape(indices)
        rank = indices.shape.ndims
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        last = expand_dims(indices, axis=-1)
        columns = []  # where in the batch each index stands
        for dimension in range(rank - 1):
            size = sizes[dimension]
            positions = gen_ops.range(0, size, 1)
            broadcast = [1] * dimension + [size] + [1] * (rank - dimension)
            positions = gen_ops.reshape(positions, broadcast)
            if positions.dtype != last.dtype:
                positions = gen_ops.cast(positions, last.dtype)
            columns.append(positions * ones_like(last))
        return scatter_nd_update(ref, concat([*columns, last], axis=-1), updates, use_locking=use_locking, name=None)
