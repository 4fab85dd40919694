"""Gradients of random ops with respect to the parameters of their distribution."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import after, shape
from tinytf._src.ops import array_ops, math_ops


@gradient_of("RandomGamma")
def _random_gamma(op: Any, grad: Any) -> Any:
    sample_shape, alpha = op.inputs
    with after(grad):
        # `alpha` broadcasts with the samples after one leading dimension of size 1 is added per dimension of
        # `sample_shape`.
        sample_rank = shape(sample_shape)[0]
        ones = array_ops.ones([sample_rank], dtype=dtypes.int32)
        alpha = g.reshape(alpha, array_ops.concat([ones, shape(alpha)], axis=0))
        partial = g.random_gamma_grad(alpha, op.outputs[0])
        return None, g.sum(grad * partial, math_ops.range(sample_rank))
