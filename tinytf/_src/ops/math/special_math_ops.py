"""Special functions composed of ops: the beta function and Bessel functions."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops.math.arithmetic import abs as abs_of
from tinytf._src.ops.math.reductions import reduce_sum

__all__ = ["lbeta"]


@tf_export("math.lbeta", "lbeta")
def lbeta(x: Any, name: str | None = None) -> Tensor:
    """Computes `log(|Beta(x)|)` along the last dimension: the sum of `lgamma(x)` minus `lgamma` of the sum of `x`.

    Args:
      x: floating-point tensor of rank 1 or more.
      name: optional name of the name scope.

    Returns:
      A tensor without the last dimension; it is -inf where that dimension is empty.
    """
    with name_scope(name, "lbeta", [x]):
        x = convert_to_tensor(x, name="x")
        product = reduce_sum(gen_ops.lgamma(x), axis=[-1])
        return product - gen_ops.lgamma(reduce_sum(x, axis=[-1]))


@tf_export("math.bessel_i0")
def bessel_i0(x: Any, name: str | None = None) -> Tensor:
    """Computes the modified Bessel function of order 0 elementwise.

    Args:
      x: floating-point tensor.
      name: optional name of the name scope.

    Returns:
      A tensor like `x`.
    """
    with name_scope(name, "bessel_i0", [x]):
        return gen_ops.exp(abs_of(x)) * gen_ops.bessel_i0e(x)


@tf_export("math.bessel_i1")
def bessel_i1(x: Any, name: str | None = None) -> Tensor:
    """Computes the modified Bessel function of order 1 elementwise.

    Args:
      x: floating-point tensor.
      name: optional name of the name scope.

    Returns:
      A tensor like `x`.
    """
    with name_scope(name, "bessel_i1", [x]):
        return gen_ops.exp(abs_of(x)) * gen_ops.bessel_i1e(x)
