"""Updates of slices of reference and resource variables."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.constant_tensors import ones_like
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.shape_ops import expand_dims, shape


def reference_of(ref: Any) -> Any:
    """Returns `ref`, or the reference of a variable, for a reference input; None for a resource variable."""
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
    """Assigns rows of a variable: `ref[indices] = updates`. If an index repeats, the last update wins.

    Args:
      ref: Variable or tensor of reference dtype.
      indices: int32 or int64 tensor of indices into the first dimension.
      updates: tensor of shape `indices.shape + ref.shape[1:]`.
      use_locking: bool, whether a reference variable is locked during the update.
      name: optional name of the operation.

    Returns:
      The variable's tensor after the update.
    """
    return _scatter("update", ref, indices, updates, use_locking, name)


@tf_export("scatter_add")
def scatter_add(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Adds to rows of a variable: `ref[indices] += updates`. Repeated indices add up.

    Args:
      ref, indices, updates, use_locking, name: as in `scatter_update`.

    Returns:
      The variable's tensor after the update.
    """
    return _scatter("add", ref, indices, updates, use_locking, name)


@tf_export("scatter_sub")
def scatter_sub(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Subtracts from rows of a variable: `ref[indices] -= updates`. Repeated indices add up.

    Args:
      ref, indices, updates, use_locking, name: as in `scatter_update`.

    Returns:
      The variable's tensor after the update.
    """
    return _scatter("sub", ref, indices, updates, use_locking, name)


@tf_export("scatter_mul")
def scatter_mul(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Multiplies rows of a variable: `ref[indices] *= updates`. Repeated indices multiply repeatedly.

    Args:
      ref, indices, updates, use_locking, name: as in `scatter_update`.

    Returns:
      The variable's tensor after the update.
    """
    return _scatter("mul", ref, indices, updates, use_locking, name)


@tf_export("scatter_div")
def scatter_div(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Divides rows of a variable: `ref[indices] /= updates`. Repeated indices divide repeatedly.

    Args:
      ref, indices, updates, use_locking, name: as in `scatter_update`.

    Returns:
      The variable's tensor after the update.
    """
    return _scatter("div", ref, indices, updates, use_locking, name)


@tf_export("scatter_min")
def scatter_min(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Replaces rows of a variable by minima: `ref[indices] = min(ref[indices], updates)`.

    Args:
      ref, indices, updates, use_locking, name: as in `scatter_update`.

    Returns:
      The variable's tensor after the update.
    """
    return _scatter("min", ref, indices, updates, use_locking, name)


@tf_export("scatter_max")
def scatter_max(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Replaces rows of a variable by maxima: `ref[indices] = max(ref[indices], updates)`.

    Args:
      ref, indices, updates, use_locking, name: as in `scatter_update`.

    Returns:
      The variable's tensor after the update.
    """
    return _scatter("max", ref, indices, updates, use_locking, name)


@tf_export("scatter_nd_update")
def scatter_nd_update(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
    """Replaces slices of a variable at index vectors.

    Args:
      ref: Variable or tensor of reference dtype.
      indices: int32 or int64 tensor whose last dimension holds index vectors of length d.
      updates: tensor of shape `indices.shape[:-1] + ref.shape[d:]`.
      use_locking: bool, whether a reference variable is locked during the update.
      name: optional name of the operation.

    Returns:
      The variable's tensor after the update.
    """
    return _scatter("nd_update", ref, indices, updates, use_locking, name)


@tf_export("scatter_nd_add")
def scatter_nd_add(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Adds to slices of a variable at index vectors.

    Args:
      ref, indices, updates, use_locking, name: as in `scatter_nd_update`.

    Returns:
      The variable's tensor after the update.
    """
    return _scatter("nd_add", ref, indices, updates, use_locking, name)


@tf_export("scatter_nd_sub")
def scatter_nd_sub(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Subtracts from slices of a variable at index vectors.

    Args:
      ref, indices, updates, use_locking, name: as in `scatter_nd_update`.

    Returns:
      The variable's tensor after the update.
    """
    return _scatter("nd_sub", ref, indices, updates, use_locking, name)


@tf_export("batch_scatter_update")
def batch_scatter_update(
    ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None
) -> Any:
    """Assigns rows of a variable in a batch: `ref[i1, …, in, indices[i1, …, in, j]] = updates[i1, …, in, j]`.

    Args:
      ref: Variable or tensor of reference dtype.
      indices: int32 or int64 tensor; a vector makes this `scatter_update`.
      updates: tensor of shape `indices.shape + ref.shape[indices.rank:]`.
      use_locking: bool, whether a reference variable is locked during the update.
      name: optional name of the name scope.

    Returns:
      The variable's tensor after the update.

    Raises:
      ValueError: if the rank of `indices` is unknown.
    """
    with name_scope(name):
        indices = convert_to_tensor(indices, name="indices")
        sizes = shape(indices)
        rank = indices.shape.ndims
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        last = expand_dims(indices, axis=-1)
        columns = []  # The batch coordinates of each index.
        for dimension in range(rank - 1):
            size = sizes[dimension]
            positions = gen_ops.range(0, size, 1)
            broadcast = [1] * dimension + [size] + [1] * (rank - dimension)
            positions = gen_ops.reshape(positions, broadcast)
            if positions.dtype != last.dtype:
                positions = gen_ops.cast(positions, last.dtype)
            columns.append(positions * ones_like(last))
        return scatter_nd_update(ref, concat([*columns, last], axis=-1), updates, use_locking=use_locking, name=None)
