"""Ops that move blocks of pixels between the spatial dimensions of images and their depth or batch dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import tensor_like
from tinytf._src.ops.arguments import renamed

__all__ = ["batch_to_space", "depth_to_space", "space_to_batch", "space_to_depth"]


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
