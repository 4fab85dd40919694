"""Second-order gradients of batch normalization.

With hat = (x - mean) / sqrt(variance + epsilon), n elements per channel and m(u) the mean of u over them, the ops
compute

    dx = scale * r * p(dy),   dscale = sum(dy * hat),   doffset = sum(dy),   r = 1 / sqrt(variance + epsilon)

where p(u) is u for given statistics, and u - m(u) - hat * m(u * hat) in training, where the statistics depend on x.
"""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import size


class _Channels:
    """Sums and means over all dimensions but the channels; the results have shape [1, 1, 1, c] or [1, c, 1, 1]."""

    def __init__(self, op: Any) -> None:
        last = op._raw_attr("data_format") == b"NHWC"
        self._axes = constant([0, 1, 2] if last else [0, 2, 3])
        self._shape = constant([1, 1, 1, -1] if last else [1, -1, 1, 1])

    def spread(self, vector: Any) -> Any:
        return g.reshape(vector, self._shape)

    def sum(self, x: Any) -> Any:
        return g.sum(x, self._axes, keep_dims=True)

    def mean(self, x: Any) -> Any:
        return g.mean(x, self._axes, keep_dims=True)


def _second_gradients(op: Any, ddx: Any, ddscale: Any, ddoffset: Any) -> tuple[Any, Any, Any]:
    dy, x, scale = op.inputs[:3]
    narrow = x.dtype.base_dtype
    if narrow is not dtypes.float32:  # computed in float32, like the op itself
        dy, x, ddx = (g.cast(t, dtypes.float32) for t in (dy, x, ddx))
    over = _Channels(op)
    training = op._raw_attr("is_training")
    factor, ddscale, ddoffset = over.spread(scale), over.spread(ddscale), over.spread(ddoffset)
    if training:
        mean = over.mean(x)
        variance = over.mean(g.square(g.sub(x, mean)))
    else:
        mean, variance = over.spread(op.inputs[3]), over.spread(op.inputs[4])
    r = g.rsqrt(g.add(variance, constant(op._raw_attr("epsilon"))))
    hat = g.mul(g.sub(x, mean), r)

    def project(u: Any) -> Any:
        if not training:
            return u
        return g.sub(g.sub(u, over.mean(u)), g.mul(hat, over.mean(g.mul(u, hat))))

    inner = over.sum(g.mul(ddx, project(dy)))
    to_dy = g.add(g.add(g.mul(g.mul(factor, r), project(ddx)), g.mul(ddscale, hat)), ddoffset)
    to_scale = g.reshape(g.mul(r, inner), constant([-1]))
    by_hat = g.mul(ddscale, dy)
    if not training:
        to_x = g.mul(r, by_hat)
    else:
        crossed = g.add(g.mul(ddx, over.mean(g.mul(dy, hat))), g.mul(dy, over.mean(g.mul(ddx, hat))))
        by_hat = g.sub(by_hat, g.mul(g.mul(factor, r), crossed))
        count = g.cast(size(x), dtypes.float32)
        each = g.div(count, g.cast(size(scale), dtypes.float32))
        by_r = g.div(g.mul(g.mul(factor, inner), g.mul(g.square(r), hat)), each)
        to_x = g.sub(g.mul(r, project(by_hat)), by_r)
    if narrow is not dtypes.float32:
        to_dy, to_x = g.cast(to_dy, narrow), g.cast(to_x, narrow)
    return to_dy, to_x, to_scale


@gradient_of("FusedBatchNormGrad")
@gradient_of("FusedBatchNormGradV2")
def _fused_batch_norm_grad(op: Any, *grads: Any) -> Any:
    return *_second_gradients(op, *grads[:3]), None, None


@gradient_of("FusedBatchNormGradV3")
def _fused_batch_norm_grad_v3(op: Any, *grads: Any) -> Any:
    return *_second_gradients(op, *grads[:3]), None, None, None
