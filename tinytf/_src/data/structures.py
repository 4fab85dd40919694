"""Older names of specifications: `tf.data.experimental.TensorStructure` and the like."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import named, tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensorSpec
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.ops.data_flow.tensor_array_ops import TensorArraySpec
from tinytf._src.platform.deprecation import deprecated

tf_export("data.experimental.Structure").constant("tinytf._src.framework.composites.type_spec", "TypeSpec")


@tf_export("data.experimental.TensorStructure")
@called_by_users
@deprecated(None, "Use `tf.TensorSpec` instead.")
@named("_TensorStructure")
def tensor_structure(dtype: Any, shape: Any) -> TensorSpec:
    """The specification of tensors.

    Args:
      dtype: DType.
      shape: TensorShape or a value that it accepts.

    Returns:
      `tf.TensorSpec`.
    """
    return TensorSpec(shape, dtype)


@tf_export("data.experimental.SparseTensorStructure")
@called_by_users
@deprecated(None, "Use `tf.SparseTensorSpec` instead.")
@named("_SparseTensorStructure")
def sparse_tensor_structure(dtype: Any, shape: Any) -> SparseTensorSpec:
    """The specification of sparse tensors.

    Args:
      dtype: DType.
      shape: TensorShape or a value that it accepts.

    Returns:
      `tf.SparseTensorSpec`.
    """
    return SparseTensorSpec(shape, dtype)


@tf_export("data.experimental.TensorArrayStructure")
@called_by_users
@deprecated(None, "Use `tf.TensorArraySpec` instead.")
@named("_TensorArrayStructure")
def tensor_array_structure(dtype: Any, element_shape: Any, dynamic_size: bool, infer_shape: bool) -> TensorArraySpec:
    """The specification of TensorArrays.

    Args:
      dtype: DType.
      element_shape: TensorShape or a value that it accepts.
      dynamic_size: bool, whether writes may extend the array.
      infer_shape: bool, whether all elements have the same shape.

    Returns:
      `tf.TensorArraySpec`.
    """
    return TensorArraySpec(element_shape, dtype, dynamic_size, infer_shape)
