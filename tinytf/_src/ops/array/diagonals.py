"""Diagonals of matrices, and identity matrices."""

from __future__ import annotations

import numbers
import warnings
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.constant_tensors import ones, zeros
from tinytf._src.ops.array.joining import concat

__all__ = ["eye", "matrix_diag", "matrix_diag_part", "matrix_set_diag"]


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


def _warn_of_ignored(function: str, op: str, **arguments: Any) -> None:
    """Warns with UserWarning, at the caller of the public function, about the first (given, default) pair
    that differs.
    """
    for name, (given, default) in arguments.items():
        if given is not default and not (isinstance(given, (bool, int, float)) and given == default):
            text = f"{function} ignores {name}={given!r}, as TensorFlow 1.15 does. Use tf.raw_ops.{op} to pass it."
            warnings.warn(text, stacklevel=4)
            return


@tf_export("linalg.eye", "eye")
def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Creates an identity matrix or a batch of identity matrices.

    Args:
      num_rows: int or int32 scalar.
      num_columns: int or int32 scalar; defaults to `num_rows`.
      batch_shape: optional list of ints or int32 vector, the batch dimensions.
      dtype: dtype of the elements.

    Returns:
      A tensor of shape `batch_shape + [num_rows, num_columns]`.

    Raises:
      TypeError: if a size is neither an integer nor a tensor.
    """
    with name_scope(name, "eye", [num_rows, num_columns, batch_shape]):
        is_square = num_columns is None
        batch_shape = [] if batch_shape is None else batch_shape
        num_columns = num_rows if num_columns is None else num_columns
        matrix_shape: Any = None
        diagonal_size: Any
        if isinstance(num_rows, Tensor) or isinstance(num_columns, Tensor):
            diagonal_size = gen_ops.minimum(num_rows, num_columns)
        elif isinstance(num_rows, numbers.Integral) and isinstance(num_columns, numbers.Integral):
            diagonal_size = min(int(num_rows), int(num_columns))
            is_square = num_rows == num_columns
        else:
            raise TypeError("num_rows and num_columns must be positive integer values.")
        if isinstance(batch_shape, Tensor) or isinstance(diagonal_size, Tensor):
            batch_shape = convert_to_tensor(batch_shape, name="shape", dtype=dtypes.int32)
            diagonal_shape: Any = concat((batch_shape, [diagonal_size]), 0)
            if not is_square:
                matrix_shape = concat((batch_shape, [num_rows, num_columns]), 0)
        else:
            batch = [int(extent) for extent in batch_shape]
            diagonal_shape = [*batch, diagonal_size]
            matrix_shape = [*batch, num_rows, num_columns]
        diagonal = ones(diagonal_shape, dtype=dtype)
        if is_square:
            return gen_ops.matrix_diag(diagonal, name="diag")
        return gen_ops.matrix_set_diag(zeros(matrix_shape, dtype=dtype), diagonal, name="set_diag")
