"""Masks and reversal of sequences of different lengths in a batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.arguments import renamed
from tinytf._src.ops.array.shape_ops import expand_dims

__all__ = ["reverse_sequence", "sequence_mask"]


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


@tf_export("sequence_mask")
def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = dtypes.bool, name: str | None = None) -> Tensor:
    """Creates masks from lengths: `mask[..., j] = j < lengths[...]`.

    Args:
      lengths: integer tensor.
      maxlen: optional integer scalar, size of the last dimension; defaults to the largest length.
      dtype: dtype of the result.

    Returns:
      A tensor of shape `lengths.shape + [maxlen]`.

    Raises:
      ValueError: if `maxlen` is not a scalar.
    """
    with name_scope(name, "SequenceMask", [lengths, maxlen]):
        lengths = convert_to_tensor(lengths)
        if maxlen is None:
            ndims = lengths.shape.ndims
            axes = constant(np.arange(ndims), dtypes.int32) if ndims is not None else _all_axes(lengths)
            maxlen = gen_ops.max(lengths, axes)
            maxlen = gen_ops.maximum(constant(0, maxlen.dtype), maxlen)
        else:
            maxlen = convert_to_tensor(maxlen)
        if maxlen.shape.ndims not in (None, 0):
            raise ValueError("maxlen must be scalar for sequence_mask")
        row = gen_ops.range(constant(0, maxlen.dtype), maxlen, constant(1, maxlen.dtype))
        column = gen_ops.cast(expand_dims(lengths, -1), maxlen.dtype)
        mask = gen_ops.less(row, column)
        if dtype is None or mask.dtype.base_dtype is dtypes.as_dtype(dtype).base_dtype:
            return mask
        return gen_ops.cast(mask, dtype)


def _all_axes(tensor: Tensor) -> Tensor:
    return gen_ops.range(0, gen_ops.rank(tensor), 1)
