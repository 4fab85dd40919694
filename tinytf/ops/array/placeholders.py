"""Tensors whose values are fed, and plain copies."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.sparse_tensor import SparseTensor
from tinytf.framework.tensor import Tensor

__all__ = ["identity", "placeholder", "placeholder_with_default", "sparse_placeholder"]


@tf_export("placeholder")
def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Tensor:
    """A tensor of `dtype` that must be fed; feeds have to fit `shape`, where None (or a None in it) is anything.

    RuntimeError in eager execution.
    """
    try:
        if executing_eagerly():
            raise RuntimeError("tf.placeholder() is not compatible with eager execution.")
        return gen_ops.placeholder(dtype, shape=shape, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("placeholder_with_default")
@called_by_users
def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """A tensor that has the value of `input` unless it is fed with something that fits `shape`.

    ValueError if the shape of `input` does not fit `shape`.
    """
    return gen_ops.placeholder_with_default(input, shape, name=name)


@tf_export("sparse.placeholder", "sparse_placeholder")
@called_by_users
def sparse_placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> SparseTensor:
    """A SparseTensor of `dtype` that must be fed with a SparseTensorValue. `shape` is its dense shape, if known.

    RuntimeError in eager execution.
    """
    if executing_eagerly():
        raise RuntimeError("tf.placeholder() is not compatible with eager execution.")
    rank = None
    dense_shape = None
    if shape is not None:
        rank = shape.shape[0].value if isinstance(shape, Tensor) else len(shape)
        if isinstance(shape, Tensor) or None not in list(shape):
            dense_shape = convert_to_tensor(shape, dtype=dtypes.int64, name=None if name is None else name + "/shape")
    if dense_shape is None:
        dense_shape = placeholder(dtypes.int64, shape=[rank], name=None if name is None else name + "/shape")
    values = placeholder(dtype, shape=[None], name=None if name is None else name + "/values")
    indices = placeholder(dtypes.int64, shape=[None, rank], name=None if name is None else name + "/indices")
    return SparseTensor(indices, values, dense_shape)


@tf_export("identity")
def identity(input: Any, name: str | None = None) -> Tensor:
    """A tensor with the shape, type and value of `input`; useful under `control_dependencies`."""
    try:
        return gen_ops.identity(input, name=name)
    except REPORTED:
        leave_to_user()
        raise
