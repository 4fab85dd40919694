"""Activation functions of `tf.nn` with custom gradients."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.gradients.custom_gradient import custom_gradient
from tinytf._src.ops.math.arithmetic import sigmoid


@tf_export("nn.swish")
@called_by_users
@custom_gradient
def swish(features: Any) -> Any:
    """The activation function `x * sigmoid(x)`.

    Args:
      features: Tensor of a floating-point type. In graph mode, it must be passed by position.

    Returns:
      Tensor of the same type and shape.
    """
    features = convert_to_tensor(features, name="features")
    gate = sigmoid(features)
    gated = features * gate

    def gradient(dy: Tensor) -> Tensor:
        return dy * (gate + gated * (1.0 - gate))

    return gated, gradient
