"""Ops that move elements: transposition, padding, reversal, and blocks between space, depth and batch."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import tensor_like
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.tensor_like import is_graph_tensor
from tinytf._src.ops.arguments import renamed
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.shape_ops import rank

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
    """Reverses the beginning of each sequence of a batch.

    Args:
      input: tensor.
      seq_lengths: int32 or int64 vector; the first `seq_lengths[b]` elements of batch entry b are reversed.
      seq_axis: int, axis of the sequence.
      batch_axis: int, axis of the batch; defaults to 0.
      seq_dim, batch_dim: deprecated names of `seq_axis` and `batch_axis`.

    Returns:
      A tensor like `input`.

    Raises:
      ValueError: if an argument is given under both names.
    """
    seq_axis = renamed("seq_axis", seq_axis, "seq_dim", seq_dim)
    batch_axis = renamed("batch_axis", batch_axis, "batch_dim", batch_dim)
    return gen_ops.reverse_sequence(
        input, seq_lengths, seq_dim=seq_axis, batch_dim=0 if batch_axis is None else batch_axis, name=name
    )


def _warn_of_ignored(function: str, op: str, **arguments: Any) -> None:
    """Warns with UserWarning, at the caller of the public function, about the first (given, default) pair
    that differs.
    """
    for name, (given, default) in arguments.items():
        if given is not default and not (isinstance(given, (bool, int, float)) and given == default):
            text = f"{function} ignores {name}={given!r}, as TensorFlow 1.15 does. Use tf.raw_ops.{op} to pass it."
            warnings.warn(text, stacklevel=4)
            return


@tf_export("linalg.diag", "matrix_diag")
@called_by_users
def matrix_diag(
    diagonal: Any, name: str = "diag", k: Any = 0, num_rows: Any = -1, num_cols: Any = -1, padding_value: Any = 0
) -> Tensor:
    """Creates matrices with the given diagonals and zeros elsewhere.

    The arguments after `name` are ignored, with a warning, because released versions of TensorFlow 1.15 build the op
    MatrixDiag, which lacks them. `tf.raw_ops.MatrixDiagV2` and `MatrixDiagV3` have them.

    Args:
      diagonal: tensor of shape [..., n].
      k, num_rows, num_cols, padding_value: ignored.

    Returns:
      A tensor of shape [..., n, n].
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
    """Returns the main diagonals of matrices.

    Args:
      input: tensor of shape [..., m, n].
      k, padding_value: ignored, with a warning, as in released versions of TensorFlow 1.15.

    Returns:
      A tensor of shape [..., min(m, n)].
    """
    _warn_of_ignored("matrix_diag_part", "MatrixDiagPartV2", k=(k, 0), padding_value=(padding_value, 0))
    return gen_ops.matrix_diag_part(input, name=name)


@tf_export("linalg.set_diag", "matrix_set_diag")
@called_by_users
def matrix_set_diag(input: Any, diagonal: Any, name: str = "set_diag", k: Any = 0) -> Tensor:
    """Replaces the main diagonals of matrices.

    Args:
      input: tensor of shape [..., m, n].
      diagonal: tensor of shape [..., min(m, n)].
      k: ignored, with a warning, as in released versions of TensorFlow 1.15.

    Returns:
      A tensor like `input`.
    """
    _warn_of_ignored("matrix_set_diag", "MatrixSetDiagV2", k=(k, 0))
    return gen_ops.matrix_set_diag(input, diagonal, name=name)


@tf_export("nn.space_to_depth", "space_to_depth")
@called_by_users
def space_to_depth(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """Moves blocks of `block_size` × `block_size` pixels of an image batch into the channels."""
    return gen_ops.space_to_depth(input, block_size=block_size, data_format=data_format, name=name)


@tf_export("nn.depth_to_space", "depth_to_space")
@called_by_users
def depth_to_space(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """Moves channels of an image batch into blocks of `block_size` × `block_size` pixels."""
    return gen_ops.depth_to_space(input, block_size=block_size, data_format=data_format, name=name)


@tf_export("nn.space_to_batch", "space_to_batch")
@called_by_users
def space_to_batch(
    input: Any, paddings: Any, block_size: int | None = None, name: str | None = None, block_shape: Any = None
) -> Tensor:
    """Pads the two spatial dimensions of a batch of images and moves blocks of pixels into the batch dimension.

    `block_shape` is another name of `block_size`, an int; `paddings` is an int32 or int64 matrix [2, 2].
    """
    size = renamed("block_shape", block_shape, "block_size", block_size)
    result = gen_ops.space_to_batch_nd(input, _square(size), paddings, name=name)
    result.set_shape(result.shape.with_rank(4))
    return result


def _square(size: Any) -> Any:
    """Returns the two sizes of a square block, or `size` if it has both already. Raises ValueError for tensors and
    variables.
    """
    if isinstance(size, (list, tuple, np.ndarray)) and np.ndim(size):
        return size
    if not executing_eagerly() and tensor_like.is_tensor(size):
        raise ValueError(
            f"block_size must be a number, not {size!r}. For tensors, use space_to_batch_nd or batch_to_space_nd."
        )
    return np.array([size, size], np.int64)


@tf_export("batch_to_space")
@called_by_users
def batch_to_space(
    input: Any, crops: Any, block_size: int | None = None, name: str | None = None, block_shape: Any = None
) -> Tensor:
    """Moves blocks back from the batch into the two spatial dimensions and crops these; the inverse of
    `space_to_batch`.
    """
    size = renamed("block_shape", block_shape, "block_size", block_size)
    result = gen_ops.batch_to_space_nd(input, _square(size), crops, name=name)
    result.set_shape(result.shape.with_rank(4))
    return result
