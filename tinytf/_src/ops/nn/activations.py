"""Activation functions, bias addition and softmax."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import REPORTED, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.ops.arguments import renamed
from tinytf._src.ops.array.gathering import where
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.shape_ops import rank
from tinytf._src.ops.array.transposition import transpose
from tinytf._src.ops.linalg.products import matmul
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.ranges import range as range_of


@tf_export("nn.bias_add")
def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Tensor:
    """Adds a vector to the channels of a tensor.

    Args:
      value: tensor.
      bias: vector of the dtype of `value` with one element per channel.
      data_format: "N...C" (default), if the channels are the last dimension, or "NC...", if they are the second.
      name: optional name of the operation.

    Returns:
      A tensor like `value`.

    Raises:
      ValueError: if `data_format` is unknown.
    """
    with name_scope(name, "BiasAdd", [value, bias]) as scope:
        if data_format is not None:
            if data_format.startswith("NC"):
                data_format = "NCHW"
            elif data_format.startswith("N") and data_format.endswith("C"):
                data_format = "NHWC"
            else:
                raise ValueError("data_format must be of the form `N...C` or `NC...`")
        value = convert_to_tensor(value, name="input")
        bias = convert_to_tensor(bias, dtype=value.dtype, name="bias")
        return gen_ops.bias_add(value, bias, data_format=data_format or "NHWC", name=scope)


@tf_export("nn.relu6")
def relu6(features: Any, name: str | None = None) -> Tensor:
    """Computes `min(max(features, 0), 6)` elementwise.

    Args:
      features: real tensor.
      name: optional name of the operation.

    Returns:
      A tensor like `features`.
    """
    with name_scope(name, "Relu6", [features]) as scope:
        return gen_ops.relu6(convert_to_tensor(features, name="features"), name=scope)


@tf_export("nn.crelu")
def crelu(features: Any, name: str | None = None, axis: int = -1) -> Tensor:
    """Concatenates `relu(features)` and `relu(-features)`.

    Args:
      features: real tensor.
      name: optional name of the name scope.
      axis: int, the axis whose size doubles.

    Returns:
      A tensor of the dtype of `features`.
    """
    with name_scope(name, "CRelu", [features]) as scope:
        features = convert_to_tensor(features, name="features")
        return gen_ops.relu(concat([features, -features], axis, name=scope))


@tf_export("nn.leaky_relu")
def leaky_relu(features: Any, alpha: Any = 0.2, name: str | None = None) -> Tensor:
    """Computes `features` where positive and `alpha * features` elsewhere.

    Args:
      features: real tensor; integers are cast to float32.
      alpha: float, slope for negative values.
      name: optional name of the operation.

    Returns:
      A tensor of the shape of `features`.
    """
    with name_scope(name, "LeakyRelu", [features]) as scope:
        features = convert_to_tensor(features, name="features")
        if features.dtype.is_integer:
            features = cast(features, dtypes.float32)
        if isinstance(alpha, np.ndarray):
            alpha = alpha.item()
        return gen_ops.leaky_relu(features, alpha=alpha, name=scope)


@tf_export("nn.xw_plus_b")
def xw_plus_b(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """Computes `matmul(x, weights) + biases`.

    Args:
      x: matrix [batch, in].
      weights: matrix [in, out].
      biases: vector [out].
      name: optional name of the operation.

    Returns:
      A matrix [batch, out].
    """
    with name_scope(name, "xw_plus_b", [x, weights, biases]) as scope:
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(weights, name="weights")
        biases = convert_to_tensor(biases, name="biases")
        return bias_add(matmul(x, weights), biases, name=scope)


@tf_export("nn.relu_layer")
def relu_layer(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """Computes `relu(matmul(x, weights) + biases)`.

    Args:
      x, weights, biases, name: as in `xw_plus_b`.

    Returns:
      A matrix [batch, out].
    """
    with name_scope(name, "relu_layer", [x, weights, biases]) as scope:
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(weights, name="weights")
        biases = convert_to_tensor(biases, name="biases")
        return gen_ops.relu(bias_add(matmul(x, weights), biases), name=scope)


@tf_export("math.softmax", "nn.softmax")
def softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """Computes `exp(logits) / sum(exp(logits))` along an axis.

    Args:
      logits: floating-point tensor.
      axis: int; defaults to the last axis.
      name: optional name of the operation.
      dim: deprecated name of `axis`.

    Returns:
      A tensor like `logits`.

    Raises:
      InvalidArgumentError: if `axis` is out of range.
      ValueError: if the axis is given under both names, or if the rank is unknown and `axis` is not the last one.
    """
    try:
        axis = renamed("axis", axis, "dim", dim)
        return _softmax(gen_ops.softmax, logits, -1 if axis is None else axis, name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.log_softmax", "nn.log_softmax")
def log_softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """Computes `logits - log(sum(exp(logits)))` along an axis.

    Args:
      logits, axis, name, dim: as in `softmax`.

    Returns:
      A tensor like `logits`.

    Raises:
      InvalidArgumentError, ValueError: as in `softmax`.
    """
    try:
        axis = renamed("axis", axis, "dim", dim)
        return _softmax(gen_ops.log_softmax, logits, -1 if axis is None else axis, name)
    except REPORTED:
        leave_to_user()
        raise


def _softmax(function: Any, logits: Any, axis: Any, name: str | None) -> Tensor:
    logits = convert_to_tensor(logits)
    static = logits.shape
    ndims = static.ndims
    is_plain = not isinstance(axis, Tensor)
    if is_plain and (axis == -1 or (ndims is not None and axis == ndims - 1)):
        return function(logits, name=name)
    value = axis if is_plain else constant_value(axis)
    if ndims is None:
        raise ValueError("The rank of logits must be known for a softmax along a dimension other than the last")
    if value is not None and not -ndims <= value < ndims:
        raise errors_impl.InvalidArgumentError(
            None,
            None,
            f"Dimension ({int(value)}) must be in the range [{-ndims}, {ndims}) where {ndims} is the number of "
            "dimensions in the input.",
        )
    count = rank(logits)
    if not is_plain:
        axis = where(gen_ops.less(axis, 0), axis + count, axis)
    elif axis < 0:
        axis = axis + count
    count = rank(logits)
    axis = axis % ndims
    swapped = function(_swap(logits, axis, gen_ops.sub(count, 1)))
    result = _swap(swapped, axis, gen_ops.sub(count, 1), name)
    result.set_shape(static)
    return result


def _swap(tensor: Tensor, axis: Any, last: Tensor, name: str | None = None) -> Tensor:
    """Swaps dimension `axis` with the last one."""
    perm = concat([range_of(axis), [last], range_of(axis + 1, last), [axis]], 0)
    return transpose(tensor, perm, name=name or "transpose")
