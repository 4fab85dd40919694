"""Gradients of random ops: how samples move with the parameters of their distribution."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf.framework.constant_op import constant
from tinytf.gradients.registry import RegisterGradient
from tinytf.gradients.support import after


@RegisterGradient("RandomGamma")
def _random_gamma(op: Any, grad: Any) -> Any:
    shape, alpha = op.inputs
    with after(grad):
        # alpha broadcasts against the samples once it has a leading dimension of 1 for each dimension of `shape`.
        sample_rank = g.squeeze(g.shape(shape))
        ones = g.fill(g.shape(shape), constant(1))
        alpha = g.reshape(alpha, g.concat_v2([ones, g.shape(alpha)], constant(0)))
        partial = g.random_gamma_grad(alpha, op.outputs[0])
        return None, g.sum(g.mul(grad, partial), g.range(constant(0), sample_rank, constant(1)))
