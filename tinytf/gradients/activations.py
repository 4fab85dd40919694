"""Activations of `tf.nn` that bring a gradient of their own."""

from __future__ import annotations

from typing import Any

from tinytf.exports import tf_export
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.tensor import Tensor
from tinytf.gradients.custom_gradient import custom_gradient
from tinytf.ops.math.arithmetic import sigmoid


@tf_export("nn.swish")
@called_by_users
@custom_gradient
def swish(features: Any) -> Any:
    """`x * sigmoid(x)`.

    Args:
      features: a tensor of floats.

    Returns a tensor of its type and shape. In a graph the argument is given by its position: ValueError for its name.
    """
    features = convert_to_tensor(features, name="features")
    gate = sigmoid(features)
    gated = features * gate

    def gradient(dy: Tensor) -> Tensor:
        return dy * (gate + gated * (1.0 - gate))

    return gated, gradient
