"""Matrix products, tensor contractions, traces and norms."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.arguments import keeps_dims
from tinytf._src.ops.array.diagonals import matrix_diag_part
from tinytf._src.ops.array.gathering import gather, where
from tinytf._src.ops.array.joining import concat, stack
from tinytf._src.ops.array.shape_ops import rank, reshape, shape, squeeze
from tinytf._src.ops.array.transposition import transpose
from tinytf._src.ops.math.arithmetic import abs, conj, pow
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.ranges import range as range_of
from tinytf._src.ops.math.reductions import reduce_max, reduce_prod, reduce_sum

__all__ = ["matmul", "matvec", "norm", "tensordot", "trace"]

_NARROW = (dtypes.bfloat16, dtypes.float32)


@tf_export("linalg.matmul", "matmul")
def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Multiplies matrices; leading dimensions are broadcast as a batch.

    Args:
      a, b: tensors of shape [..., m, k] and [..., k, n] and one dtype.
      transpose_a, transpose_b: bool, whether the operand is transposed first.
      adjoint_a, adjoint_b: bool, whether the operand is conjugated and transposed first.
      a_is_sparse, b_is_sparse: bool, hints that the operand is mostly zeros.
      name: optional name of the operation.

    Returns:
      A tensor of shape [..., m, n].

    Raises:
      ValueError: if an operand is to be both transposed and adjoined.
    """
    if executing_eagerly() and not (adjoint_a or adjoint_b or a_is_sparse or b_is_sparse):
        a, b = convert_to_tensor(a, name="a"), convert_to_tensor(b, name="b")
        if a._rank() == 2 and b._rank() == 2 and a.dtype is b.dtype:  # Fast path for the common case.
            return gen_ops.mat_mul(a, b, transpose_a=transpose_a, transpose_b=transpose_b, name=name)
    with name_scope(name, "MatMul", [a, b]) as scope:
        if transpose_a and adjoint_a:
            raise ValueError("Only one of transpose_a and adjoint_a can be True.")
        if transpose_b and adjoint_b:
            raise ValueError("Only one of transpose_b and adjoint_b can be True.")
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, name="b")
        sparse = a_is_sparse or b_is_sparse
        a_rank, b_rank = a._rank(), b._rank()
        if not sparse and (a_rank is None or a_rank > 2 or b_rank is None or b_rank > 2):
            if transpose_a:
                a, adjoint_a = conj(a), True
            if transpose_b:
                b, adjoint_b = conj(b), True
            return gen_ops.batch_mat_mul_v2(a, b, adj_x=adjoint_a, adj_y=adjoint_b, name=scope)
        if adjoint_a:
            a, transpose_a = conj(a), True
        if adjoint_b:
            b, transpose_b = conj(b), True
        types = a.dtype.base_dtype, b.dtype.base_dtype
        mixed = dtypes.bfloat16 in types and types[0] is not types[1]
        if mixed or (sparse and types[0] in _NARROW and types[1] in _NARROW):
            product = gen_ops.sparse_mat_mul(
                a,
                b,
                transpose_a=transpose_a,
                transpose_b=transpose_b,
                a_is_sparse=a_is_sparse,
                b_is_sparse=b_is_sparse,
                name=scope,
            )
            return cast(product, dtypes.bfloat16) if types == (dtypes.bfloat16,) * 2 else product
        return gen_ops.mat_mul(a, b, transpose_a=transpose_a, transpose_b=transpose_b, name=scope)


@tf_export("linalg.matvec")
def matvec(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Multiplies matrices [..., m, n] by vectors [..., n]. Returns a tensor [..., m]; flags are as in `matmul`."""
    with name_scope(name, "MatVec", [a, b]):
        column = gen_ops.expand_dims(b, -1)
        output = matmul(
            a, column, transpose_a=transpose_a, adjoint_a=adjoint_a, a_is_sparse=a_is_sparse, b_is_sparse=b_is_sparse
        )
        return squeeze(output, axis=-1)


@tf_export("linalg.tensordot", "tensordot")
def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """Contracts two tensors over pairs of axes.

    Args:
      a, b: tensors of one dtype.
      axes: int n, for the last n axes of `a` and the first n of `b`; or a pair of lists of axes, or an int32 tensor [2,
        n].
      name: optional name of the operation.

    Returns:
      A tensor with the free dimensions of `a` and then of `b`.

    Raises:
      ValueError: if `axes` is invalid.
    """
    with name_scope(name, "Tensordot", [a, b, axes]) as scope:
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, name="b")
        a_axes, b_axes = _contracted_axes(a, axes)
        a_matrix, a_free, a_static = _as_matrix(a, a_axes, axes_first=False)
        b_matrix, b_free, b_static = _as_matrix(b, b_axes, axes_first=True)
        product = matmul(a_matrix, b_matrix)
        if isinstance(a_free, list) and isinstance(b_free, list):
            return reshape(product, a_free + b_free, name=scope)
        a_free = convert_to_tensor(a_free, dtype=dtypes.int32)
        b_free = convert_to_tensor(b_free, dtype=dtypes.int32)
        result = reshape(product, concat([a_free, b_free], 0), name=scope)
        if a_static is not None and b_static is not None:
            result.set_shape(a_static + b_static)
        return result


def _contracted_axes(a: Tensor, axes: Any) -> tuple[Any, Any]:
    if isinstance(axes, (int, np.integer)):
        if axes < 0:
            raise ValueError("'axes' must be at least 0.")
        ndims = a.shape.ndims
        if ndims is None:
            count = rank(a)
            return range_of(count - axes, count, dtype=dtypes.int32), range_of(axes, dtype=dtypes.int32)
        if axes > ndims:
            raise ValueError(f"'axes' must not be larger than the number of dimensions of tensor {a}.")
        return list(range(ndims - axes, ndims)), list(range(axes))
    if not isinstance(axes, (list, tuple)):
        axes = convert_to_tensor(axes, name="axes", dtype=dtypes.int32)
        return axes[0], axes[1]
    if len(axes) != 2:
        raise ValueError("'axes' must be an integer or have length 2.")
    a_axes, b_axes = axes
    if isinstance(a_axes, (int, np.integer)) and isinstance(b_axes, (int, np.integer)):
        a_axes, b_axes = [a_axes], [b_axes]
    if len(a_axes) != len(b_axes):
        raise ValueError(f"Different number of contraction axes 'a' and 'b', {len(a_axes)} != {len(b_axes)}.")
    return a_axes, b_axes


def _as_matrix(a: Tensor, axes: Any, axes_first: bool) -> tuple[Tensor, Any, list[int | None] | None]:
    """Returns `a` as a matrix of free and contracted dimensions, the sizes of the free ones, and their static sizes."""
    static = a.shape
    extents: Any
    perm: Any
    matrix_shape: Any
    plain = isinstance(axes, (list, tuple))
    if plain and static.ndims is not None:
        axes = [axis if axis >= 0 else axis + static.ndims for axis in axes]
        free: Any = [i for i in range(static.ndims) if i not in axes]
        known = [static.as_list()[i] for i in free]
    else:
        known = None
    if plain and static.is_fully_defined():
        extents = static.as_list()
        free_size = int(np.prod([extents[i] for i in free]))
        axes_size = int(np.prod([extents[i] for i in axes]))
        perm = list(axes) + free if axes_first else free + list(axes)
        matrix_shape = [axes_size, free_size] if axes_first else [free_size, axes_size]
        return reshape(transpose(a, perm), matrix_shape), known, known
    if known is not None:
        axes = convert_to_tensor(axes, dtype=dtypes.int32, name="axes")
        free = convert_to_tensor(free, dtype=dtypes.int32, name="free")
        extents = shape(a)
    else:
        extents = shape(a)
        count = rank(a)
        axes = convert_to_tensor(axes, dtype=dtypes.int32, name="axes")
        axes = where(axes >= 0, axes, axes + count)
        free, _ = gen_ops.list_diff(range_of(count), axes)
    free_extents = gather(extents, free)
    axes_extents = gather(extents, axes)
    sizes = [reduce_prod(free_extents), reduce_prod(axes_extents)]
    order = [free, axes]
    if axes_first:
        perm = concat(order[::-1], 0)
        matrix_shape = stack(sizes[::-1])
    else:
        perm = concat(order, 0)
        matrix_shape = stack(sizes)
    return reshape(transpose(a, perm), matrix_shape), free_extents, known


@tf_export("linalg.trace", "trace")
def trace(x: Any, name: str | None = None) -> Tensor:
    """Computes the sum of the main diagonal of each matrix [..., m, n]; the result has shape [...]."""
    with name_scope(name, "Trace", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return reduce_sum(matrix_diag_part(x), [-1], name=scope)


@tf_export("linalg.norm", "norm")
@called_by_users
def norm(
    tensor: Any,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Computes norms of vectors or matrices. Raises ValueError if `axis` or `ord` is unsupported.

    Args:
      ord: "euclidean", 1, 2, inf or another positive number for vectors; "euclidean", "fro", 1, 2 or inf for matrices.
      axis: int for vectors, pair of ints for matrices, or None for all elements as one vector.
      keepdims: bool, whether reduced axes stay with size 1; `keep_dims` is its deprecated name.
    """
    keep = keeps_dims(keepdims, keep_dims)
    is_matrix = isinstance(axis, (tuple, list)) and len(axis) == 2
    bad_axis = "'axis' must be None, an integer, or a tuple of 2 unique integers"
    if is_matrix:
        axis = tuple(axis)
        if not isinstance(axis[0], int) or not isinstance(axis[1], int) or axis[0] == axis[1]:
            raise ValueError(bad_axis)
        allowed: list[Any] = ["euclidean", "fro", 1, 2, np.inf]
        if ord not in allowed:
            raise ValueError(f"'ord' must be a supported matrix norm in {allowed}, got {ord}")
    else:
        if not (isinstance(axis, int) or axis is None):
            raise ValueError(bad_axis)
        allowed = ["euclidean", 1, 2, np.inf]
        if ord not in allowed and (isinstance(ord, str) or not np.isreal(ord) or ord <= 0):
            raise ValueError(f"'ord' must be a supported vector norm, got {ord}")
        if axis is not None:
            axis = (axis,)
    with name_scope(name, "norm", [tensor]):
        tensor = convert_to_tensor(tensor)
        if ord in ("fro", "euclidean", 2):
            if is_matrix and ord == 2:
                result = _spectral_norm(tensor, axis)
            else:
                result = gen_ops.sqrt(reduce_sum(tensor * conj(tensor), axis, keepdims=True))
        else:
            result = abs(tensor)
            if ord == 1:
                result = reduce_sum(result, None if axis is None else axis[0], keepdims=True)
                if is_matrix:
                    result = reduce_max(result, axis[-1], keepdims=True)
            elif ord == np.inf:
                if is_matrix:
                    result = reduce_sum(result, axis[1], keepdims=True)
                result = reduce_max(result, None if axis is None else axis[0], keepdims=True)
            else:
                result = pow(reduce_sum(pow(result, ord), axis, keepdims=True), 1.0 / ord)
        return result if keep else squeeze(result, axis)


def _spectral_norm(tensor: Tensor, axis: tuple[int, int]) -> Tensor:
    """Returns the largest singular value of each matrix; the two axes stay with size 1."""
    ndims = tensor.shape.ndims
    before: Any
    after: Any
    if ndims is None:
        count = rank(tensor)
        axes = convert_to_tensor(axis, dtypes.int32)
        axes = where(axes >= 0, axes, axes + count)
        others, _ = gen_ops.list_diff(range_of(count), axes)
        before = concat([others, axes], 0)
        after = gen_ops.invert_permutation(before)
    else:
        matrix = [i % ndims for i in axis]
        before = [*(i for i in range(ndims) if i not in matrix), *matrix]
        after = [before.index(i) for i in range(ndims)]
    values = abs(gen_ops.svd(transpose(tensor, before), compute_uv=False)[0])
    largest = gen_ops.expand_dims(reduce_max(values, -1, keepdims=True), -1)
    return transpose(largest, after)
