"""Activation functions that can be passed to layers by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.ops.array.gathering import where
from tinytf._src.ops.math.arithmetic import sigmoid
from tinytf._src.ops.math.clip_ops import clip_by_value
from tinytf._src.ops.math.reductions import reduce_max, reduce_sum
from tinytf._src.ops.nn.activations import softmax


def _elu(x: Any) -> Any:
    return gen_ops.elu(x)


def _exponential(x: Any) -> Any:
    return gen_ops.exp(x)


def _hard_sigmoid(x: Any) -> Any:
    """Returns 0.2 * x + 0.5, clipped to [0, 1]."""
    slope = constant(0.2, dtype=x.dtype.base_dtype)
    middle = constant(0.5, dtype=x.dtype.base_dtype)
    return clip_by_value(gen_ops.add(gen_ops.mul(x, slope), middle), 0.0, 1.0)


def _linear(x: Any) -> Any:
    return x


def _relu(x: Any) -> Any:
    return gen_ops.relu(x)


_SELU_ALPHA = 1.6732632423543772848170429916717
_SELU_SCALE = 1.0507009873554804934193349852946


def _selu(x: Any) -> Any:
    """Computes SELU from elementary ops, as Keras layers do, and not by the op `Selu`."""
    elu = gen_ops.elu(x)
    return _SELU_SCALE * where(x > 0, elu, _SELU_ALPHA * elu)


def _sigmoid(x: Any) -> Any:
    return sigmoid(x)


def _softmax(x: Any) -> Any:
    """Computes softmax along the last axis."""
    if x.shape.ndims == 2:
        return softmax(x)
    if x.shape.ndims < 2:
        raise ValueError(f"Cannot apply softmax to a tensor that is 1D. Received input: {x}")
    powers = gen_ops.exp(x - reduce_max(x, axis=-1, keepdims=True))
    return powers / reduce_sum(powers, axis=-1, keepdims=True)


def _softplus(x: Any) -> Any:
    return gen_ops.softplus(x)


def _softsign(x: Any) -> Any:
    return gen_ops.softsign(x)


def _tanh(x: Any) -> Any:
    return gen_ops.tanh(x)


_ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "elu": _elu,
    "exponential": _exponential,
    "hard_sigmoid": _hard_sigmoid,
    "linear": _linear,
    "relu": _relu,
    "selu": _selu,
    "sigmoid": _sigmoid,
    "softmax": _softmax,
    "softplus": _softplus,
    "softsign": _softsign,
    "tanh": _tanh,
}


_NAMES = {activation: name for name, activation in _ACTIVATIONS.items()}


def activation_of(identifier: Any) -> Callable[[Any], Any]:
    """Returns the activation function of that name, or the given function; None is the identity.

    Raises ValueError for an unknown name, and TypeError for a value that is neither None, a name nor a callable.
    """
    if identifier is None:
        return _linear
    if isinstance(identifier, str):
        if identifier not in _ACTIVATIONS:
            raise ValueError(f"Unknown activation function:{identifier}")
        return _ACTIVATIONS[identifier]
    if not callable(identifier):
        raise TypeError(f"Could not interpret activation function identifier: {identifier!r}")
    return identifier


def activation_name(activation: Callable[[Any], Any]) -> str:
    """Returns the name that `activation_of` accepts, or the function's own name for a user's function."""
    return _NAMES.get(activation) or activation.__name__
