"""Placeholders, which are fed, and `identity`."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes

__all__ = ["identity", "placeholder", "placeholder_with_default", "sparse_placeholder"]


@tf_export("placeholder")
def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Tensor:
    """Creates a tensor that must be fed.

    Args:
      dtype: dtype of the fed values.
      shape: optional shape that feeds must match; None, or None for a dimension, means unknown.
      name: optional name of the operation.

    Returns:
      A tensor without a value of its own.

    Raises:
      RuntimeError: in eager execution.

    Example:
      x = tf.placeholder(tf.float32, [None, 2])
      with tf.Session() as sess:
        print(sess.run(2 * x, feed_dict={x: [[1.0, 2.0]]}))
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
    """Creates a tensor that has the value of `input` unless it is fed.

    Args:
      input: tensor, the default value.
      shape: shape, compatible with that of `input`, that feeds must match.
      name: optional name of the operation.

    Returns:
      A tensor of the dtype of `input`.
    """
    return gen_ops.placeholder_with_default(input, shape, name=name)


@tf_export("sparse.placeholder", "sparse_placeholder")
@called_by_users
def sparse_placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> SparseTensor:
    """Creates a SparseTensor that must be fed with a SparseTensorValue.

    Args:
      dtype: dtype of the values.
      shape: optional dense shape: a list of ints and None, or an int64 vector.
      name: optional prefix of the names of the placeholders.

    Returns:
      A SparseTensor of placeholders.

    Raises:
      RuntimeError: in eager execution.
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
    """Returns a tensor with the value of the input; useful to attach control dependencies.

    Args:
      input: tensor.
      name: optional name of the operation.

    Returns:
      A tensor of the same shape, dtype and value.
    """
    try:
        return gen_ops.identity(input, name=name)
    except REPORTED:
        leave_to_user()
        raise
