"""Ops that move elements: transposes, paddings, reversals, blocks of space and batch."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import tensor_like
from tinytf.framework.constant_value import constant_value
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_like import is_graph_tensor
from tinytf.ops.arguments import renamed
from tinytf.ops.array.joining import concat
from tinytf.ops.array.shape_ops import rank

__all__ = [
    "batch_to_space",
    "depth_to_space",
    "matrix_diag",
    "matrix_diag_part",
    "matrix_set_diag",
    "matrix_transpose",
    "pad",
    "reverse_sequence",
    "space_to_batch",
    "space_to_depth",
    "transpose",
]


@tf_export("transpose")
def transpose(a: Any, perm: Any = None, name: str = "transpose", conjugate: bool = False) -> Tensor:
    """Dimension i of the result is dimension `perm[i]` of `a`; all are reversed when `perm` is None.

    `conjugate` also conjugates complex numbers. ValueError if `perm` is no permutation of the dimensions.
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
    """`a` with its last two dimensions swapped. ValueError if the rank is known to be less than 2."""
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


@tf_export("pad")
def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", name: str | None = None, constant_values: Any = 0
) -> Tensor:
    """`tensor` with `paddings[d]` = (before, after) elements added to each dimension d.

    `mode`: "CONSTANT" (elements are `constant_values`), "REFLECT" or "SYMMETRIC" (mirrored without or with the border
    element), in any case. ValueError for other modes and for paddings that do not fit.
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
    """Sets the extents of those dimensions whose paddings are constants."""
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


@tf_export("reverse_sequence")
@called_by_users
def reverse_sequence(
    input: Any,
    seq_lengths: Any,
    seq_axis: int | None = None,
    batch_axis: int | None = None,
    name: str | None = None,
    seq_dim: int | None = None,
    batch_dim: int | None = None,
) -> Tensor:
    """Reverses the first `seq_lengths[b]` elements along `seq_axis` of each entry b of the batch.

    `seq_dim` and `batch_dim` are old names. ValueError for both names of an argument.
    """
    seq_axis = renamed("seq_axis", seq_axis, "seq_dim", seq_dim)
    batch_axis = renamed("batch_axis", batch_axis, "batch_dim", batch_dim)
    return gen_ops.reverse_sequence(
        input, seq_lengths, seq_dim=seq_axis, batch_dim=0 if batch_axis is None else batch_axis, name=name
    )


def _warn_of_ignored(function: str, op: str, **arguments: Any) -> None:
    """UserWarning, at the caller of the public function, for the first argument (given, default) that is not the default."""
    for name, (given, default) in arguments.items():
        if given is not default and not (isinstance(given, (bool, int, float)) and given == default):
            text = f"{function} ignores {name}={given!r}, as TensorFlow 1.15 does. tf.raw_ops.{op} takes it."
            warnings.warn(text, stacklevel=4)
            return


@tf_export("linalg.diag", "matrix_diag")
@called_by_users
def matrix_diag(
    diagonal: Any, name: str = "diag", k: Any = 0, num_rows: Any = -1, num_cols: Any = -1, padding_value: Any = 0
) -> Tensor:
    """Matrices with the given diagonals (the last dimension) and zeros elsewhere: [..., n] → [..., n, n].

    The arguments after `name` are ignored, with a warning: released versions of TensorFlow 1.15 build MatrixDiag, which
    has none of them. `tf.raw_ops.MatrixDiagV2` and `MatrixDiagV3` have.
    """
    _warn_of_ignored(
        "matrix_diag",
        "MatrixDiagV2",
        k=(k, 0),
        num_rows=(num_rows, -1),
        num_cols=(num_cols, -1),
        padding_value=(padding_value, 0),
    )
    return gen_ops.matrix_diag(diagonal, name=name)


@tf_export("linalg.diag_part", "matrix_diag_part")
@called_by_users
def matrix_diag_part(input: Any, name: str = "diag_part", k: Any = 0, padding_value: Any = 0) -> Tensor:
    """The diagonals of matrices: [..., m, n] → [..., min(m, n)].

    `k` and `padding_value` are ignored, with a warning, as in released versions of TensorFlow 1.15.
    """
    _warn_of_ignored("matrix_diag_part", "MatrixDiagPartV2", k=(k, 0), padding_value=(padding_value, 0))
    return gen_ops.matrix_diag_part(input, name=name)


@tf_export("linalg.set_diag", "matrix_set_diag")
@called_by_users
def matrix_set_diag(input: Any, diagonal: Any, name: str = "set_diag", k: Any = 0) -> Tensor:
    """Matrices [..., m, n] with their diagonals replaced by `diagonal` [..., min(m, n)].

    `k` is ignored, with a warning, as in released versions of TensorFlow 1.15.
    """
    _warn_of_ignored("matrix_set_diag", "MatrixSetDiagV2", k=(k, 0))
    return gen_ops.matrix_set_diag(input, diagonal, name=name)


@tf_export("nn.space_to_depth", "space_to_depth")
@called_by_users
def space_to_depth(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """Moves blocks of `block_size` × `block_size` pixels into the channels."""
    return gen_ops.space_to_depth(input, block_size=block_size, data_format=data_format, name=name)


@tf_export("nn.depth_to_space", "depth_to_space")
@called_by_users
def depth_to_space(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """Moves channels into blocks of `block_size` × `block_size` pixels."""
    return gen_ops.depth_to_space(input, block_size=block_size, data_format=data_format, name=name)


@tf_export("nn.space_to_batch", "space_to_batch")
@called_by_users
def space_to_batch(
    input: Any, paddings: Any, block_size: int | None = None, name: str | None = None, block_shape: Any = None
) -> Tensor:
    """Pads the two spatial dimensions and moves blocks of them into the batch. `block_shape` is a synonym."""
    size = renamed("block_shape", block_shape, "block_size", block_size)
    result = gen_ops.space_to_batch_nd(input, _square(size), paddings, name=name)
    result.set_shape(result.shape.with_rank(4))
    return result


def _square(size: Any) -> Any:
    """A block as an array of two extents, or what has the two already. ValueError for tensors and variables."""
    if isinstance(size, (list, tuple, np.ndarray)) and np.ndim(size):
        return size
    if not executing_eagerly() and tensor_like.is_tensor(size):
        raise ValueError(
            f"block_size must be a number, not {size!r}: space_to_batch_nd and batch_to_space_nd take tensors."
        )
    return np.array([size, size], np.int64)


@tf_export("batch_to_space")
@called_by_users
def batch_to_space(
    input: Any, crops: Any, block_size: int | None = None, name: str | None = None, block_shape: Any = None
) -> Tensor:
    """The inverse of `space_to_batch`: moves blocks back and crops the spatial dimensions."""
    size = renamed("block_shape", block_shape, "block_size", block_size)
    result = gen_ops.batch_to_space_nd(input, _square(size), crops, name=name)
    result.set_shape(result.shape.with_rank(4))
    return result
