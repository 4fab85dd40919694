"""Gradients of neural network ops."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.tensor_like import is_eager_tensor
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import after, shape, size, wants_gradient
from tinytf._src.ops import array_ops, math_ops
from tinytf._src.ops.linalg.products import matmul


def _zeros(x: Any) -> Any:
    """Zeros with the shape of `x`, never a constant."""
    return array_ops.zeros(shape(x), dtype=x.dtype)


@gradient_of("Relu")
def _relu(op: Any, grad: Any) -> Any:
    return g.relu_grad(grad, op.outputs[0])


@gradient_of("ReluGrad")
def _relu_grad(op: Any, grad: Any) -> Any:
    x = op.inputs[1]
    return g.relu_grad(grad, x), _zeros(x)


@gradient_of("Relu6")
def _relu6(op: Any, grad: Any) -> Any:
    return g.relu6_grad(grad, op.outputs[0])


@gradient_of("Relu6Grad")
def _relu6_grad(op: Any, grad: Any) -> Any:
    x = op.inputs[1]
    return g.relu6_grad(grad, x), _zeros(x)


@gradient_of("LeakyRelu")
def _leaky_relu(op: Any, grad: Any) -> Any:
    return g.leaky_relu_grad(grad, op.inputs[0], alpha=op._raw_attr("alpha"))


@gradient_of("LeakyReluGrad")
def _leaky_relu_grad(op: Any, grad: Any) -> Any:
    x = op.inputs[1]
    return g.leaky_relu_grad(grad, x, alpha=op._raw_attr("alpha")), _zeros(x)


@gradient_of("Elu")
def _elu(op: Any, grad: Any) -> Any:
    return g.elu_grad(grad, op.outputs[0])


def _curved_unit_grad(op: Any, grad: Any, first: Any) -> Any:
    """Second-order gradient of activations that are exponential below zero: gradients of EluGrad and SeluGrad."""
    gradients, outputs = op.inputs
    return first(grad, outputs), g.select(outputs < 0, grad * gradients, array_ops.zeros_like(outputs))


@gradient_of("EluGrad")
def _elu_grad(op: Any, grad: Any) -> Any:
    return _curved_unit_grad(op, grad, g.elu_grad)


@gradient_of("Selu")
def _selu(op: Any, grad: Any) -> Any:
    return g.selu_grad(grad, op.outputs[0])


@gradient_of("SeluGrad")
def _selu_grad(op: Any, grad: Any) -> Any:
    return _curved_unit_grad(op, grad, g.selu_grad)


@gradient_of("Softplus")
def _softplus(op: Any, grad: Any) -> Any:
    return grad * g.sigmoid(op.inputs[0])


@gradient_of("SoftplusGrad")
def _softplus_grad(op: Any, grad: Any) -> Any:
    dy, x = op.inputs
    with after(grad):
        return g.softplus_grad(grad, x), grad * dy / (g.exp(-x) + 2.0 + g.exp(x))


@gradient_of("Softsign")
def _softsign(op: Any, grad: Any) -> Any:
    return g.softsign_grad(grad, op.inputs[0])


@gradient_of("Softmax")
def _softmax(op: Any, grad: Any) -> Any:
    y = op.outputs[0]
    total = g.sum(grad * y, -1, keep_dims=True)
    return (grad - total) * y


@gradient_of("LogSoftmax")
def _log_softmax(op: Any, grad: Any) -> Any:
    softmax = g.exp(op.outputs[0])
    return grad - g.sum(grad, -1, keep_dims=True) * softmax


def _per_row(vector: Any, matrix: Any) -> Any:
    return array_ops.expand_dims(vector, -1) * matrix


@gradient_of("SoftmaxCrossEntropyWithLogits")
def _softmax_cross_entropy(op: Any, grad_loss: Any, grad_grad: Any) -> Any:
    backprop = op.outputs[1]
    grad = _per_row(grad_loss, backprop)
    logits = op.inputs[0]
    if grad_grad is not None and not _is_zeros(grad_grad):
        softmax = g.softmax(logits)
        inner = matmul(array_ops.expand_dims(grad_grad, 1), array_ops.expand_dims(softmax, 2))
        grad += (grad_grad - array_ops.squeeze(inner, axis=1)) * softmax
    return grad, _per_row(grad_loss, -g.log_softmax(logits)) if wants_gradient(op, 1) else None


def _is_zeros(tensor: Any) -> bool:
    """Whether a gradient is the zeros that stand for no gradient in graph mode; in eager mode it would be None."""
    if is_eager_tensor(tensor):
        return False
    if tensor.op.type == "ZerosLike":
        return True
    value = constant_value(tensor)
    return value is not None and not value.any()


@gradient_of("SparseSoftmaxCrossEntropyWithLogits")
def _sparse_softmax_cross_entropy(op: Any, grad_loss: Any, _: Any) -> Any:
    message = (
        "Currently there is no way to take the second derivative of sparse_softmax_cross_entropy_with_logits due to the "
        "fused implementation's interaction with tf.gradients()"
    )
    guarded = g.prevent_gradient(op.outputs[1], message=message)
    return _per_row(grad_loss, guarded), None


@gradient_of("BiasAdd")
def _bias_add(op: Any, grad: Any) -> Any:
    return grad, g.bias_add_grad(grad, data_format=op._raw_attr("data_format").decode())


@gradient_of("BiasAddGrad")
def _bias_add_grad(op: Any, grad: Any) -> Any:
    dims, channels = shape(op.inputs[0]), shape(grad)
    if op._raw_attr("data_format") == b"NCHW":
        expanded = array_ops.concat([array_ops.ones_like(dims[:1]), channels, array_ops.ones_like(dims[2:])], 0)
        repeats = array_ops.concat([dims[:1], [1], dims[2:]], 0)
    else:
        expanded = array_ops.concat([array_ops.ones_like(dims[:-1]), channels], 0)
        repeats = array_ops.concat([dims[:-1], [1]], 0)
    return g.tile(g.reshape(grad, expanded), repeats)


def _conv_attrs(op: Any) -> dict[str, Any]:
    names = ("strides", "dilations", "explicit_paddings")
    attrs = {n: op._raw_attr(n) for n in names if op._raw_attr(n) is not None}
    attrs["padding"] = op._raw_attr("padding").decode()
    attrs["data_format"] = op._raw_attr("data_format").decode()
    return attrs


@gradient_of("Conv2D")
def _conv2d(op: Any, grad: Any) -> Any:
    x, weights = op.inputs
    shapes = g.shape_n([x, weights])
    attrs = _conv_attrs(op)
    return (
        g.conv2d_backprop_input(shapes[0], weights, grad, **attrs),
        g.conv2d_backprop_filter(x, shapes[1], grad, **attrs),
    )


@gradient_of("Conv2DBackpropInput")
def _conv2d_backprop_input(op: Any, grad: Any) -> Any:
    weights, dy = op.inputs[1], op.inputs[2]
    attrs = _conv_attrs(op)
    return None, g.conv2d_backprop_filter(grad, shape(weights), dy, **attrs), g.conv2d(grad, weights, **attrs)


@gradient_of("Conv2DBackpropFilter")
def _conv2d_backprop_filter(op: Any, grad: Any) -> Any:
    x, dy = op.inputs[0], op.inputs[2]
    attrs = _conv_attrs(op)
    return g.conv2d_backprop_input(shape(x), grad, dy, **attrs), None, g.conv2d(x, grad, **attrs)


@gradient_of("DepthwiseConv2dNative")
def _depthwise_conv2d(op: Any, grad: Any) -> Any:
    x, weights = op.inputs
    attrs = _conv_attrs(op)
    return (
        g.depthwise_conv2d_native_backprop_input(shape(x), weights, grad, **attrs),
        g.depthwise_conv2d_native_backprop_filter(x, shape(weights), grad, **attrs),
    )


def _pool_attrs(op: Any) -> dict[str, Any]:
    return {
        "ksize": op._raw_attr("ksize"),
        "strides": op._raw_attr("strides"),
        "padding": op._raw_attr("padding").decode(),
        "data_format": op._raw_attr("data_format").decode(),
    }


@gradient_of("MaxPool")
def _max_pool(op: Any, grad: Any) -> Any:
    return g.max_pool_grad(op.inputs[0], op.outputs[0], grad, **_pool_attrs(op))


@gradient_of("MaxPoolGrad")
def _max_pool_grad(op: Any, grad: Any) -> Any:
    x, y = op.inputs[0], op.inputs[1]
    return _zeros(x), _zeros(y), g.max_pool_grad_grad(x, y, grad, **_pool_attrs(op))


@gradient_of("AvgPool")
def _avg_pool(op: Any, grad: Any) -> Any:
    return g.avg_pool_grad(shape(op.inputs[0]), grad, **_pool_attrs(op))


@gradient_of("AvgPoolGrad")
def _avg_pool_grad(op: Any, grad: Any) -> Any:
    return None, g.avg_pool(grad, **_pool_attrs(op))


@gradient_of("LRN")
def _lrn(op: Any, grad: Any) -> Any:
    names = ("depth_radius", "bias", "alpha", "beta")
    return g.lrn_grad(grad, op.inputs[0], op.outputs[0], **{n: op._raw_attr(n) for n in names})


@gradient_of("TopK")
@gradient_of("TopKV2")
def _top_k(op: Any, grad: Any, _: Any) -> Any:
    indices = op.outputs[1]
    dims, indices_dims = shape(op.inputs[0]), shape(indices)
    width = array_ops.gather(math_ops.cast(indices_dims, dtypes.int64), size(indices_dims) - 1)
    flat = g.reshape(indices, array_ops.stack([-1, width]))
    last = array_ops.gather(math_ops.cast(dims, dtypes.int64), size(dims) - 1)
    rows = shape(flat)[0]
    starts = math_ops.range(0, math_ops.cast(rows, dtypes.int64) * last, last)
    positions = g.reshape(flat + math_ops.cast(array_ops.expand_dims(starts, -1), dtypes.int32), [-1])
    columns = array_ops.expand_dims(positions, -1)
    values = g.reshape(grad, [-1])
    found = g.reshape(g.scatter_nd(columns, values, [math_ops.reduce_prod(dims)]), dims)
    if len(op.inputs) == 1:
        return [found]
    return [found, None if is_eager_tensor(grad) else array_ops.zeros([], dtype=dtypes.int32)]


@gradient_of("MaxPoolGradGrad")
def _max_pool_grad_grad(op: Any, grad: Any) -> Any:
    x, y = op.inputs[0], op.inputs[1]
    return _zeros(x), _zeros(y), g.max_pool_grad(x, y, grad, **_pool_attrs(op))


@gradient_of("MaxPoolWithArgmax")
def _max_pool_with_argmax(op: Any, grad: Any, _: Any) -> Any:
    attrs = {"ksize": op._raw_attr("ksize"), "strides": op._raw_attr("strides")}
    attrs["padding"] = op._raw_attr("padding").decode()
    attrs["include_batch_in_index"] = op._raw_attr("include_batch_in_index")
    return g.max_pool_grad_with_argmax(op.inputs[0], grad, op.outputs[1], **attrs)


@gradient_of("MaxPool3D")
def _max_pool3d(op: Any, grad: Any) -> Any:
    return g.max_pool3d_grad(op.inputs[0], op.outputs[0], grad, **_pool_attrs(op))


@gradient_of("MaxPool3DGrad")
def _max_pool3d_grad(op: Any, grad: Any) -> Any:
    x, y = op.inputs[0], op.inputs[1]
    return _zeros(x), _zeros(y), g.max_pool3d_grad_grad(x, y, grad, **_pool_attrs(op))


@gradient_of("MaxPool3DGradGrad")
def _max_pool3d_grad_grad(op: Any, grad: Any) -> Any:
    x, y = op.inputs[0], op.inputs[1]
    return _zeros(x), _zeros(y), g.max_pool3d_grad(x, y, grad, **_pool_attrs(op))


@gradient_of("AvgPool3D")
def _avg_pool3d(op: Any, grad: Any) -> Any:
    return g.avg_pool3d_grad(shape(op.inputs[0]), grad, **_pool_attrs(op))


@gradient_of("AvgPool3DGrad")
def _avg_pool3d_grad(op: Any, grad: Any) -> Any:
    return None, g.avg_pool3d(grad, **_pool_attrs(op))


@gradient_of("Conv3D")
def _conv3d(op: Any, grad: Any) -> Any:
    x, weights = op.inputs
    attrs = _conv_attrs(op)
    return (
        g.conv3d_backprop_input_v2(shape(x), weights, grad, **attrs),
        g.conv3d_backprop_filter_v2(x, shape(weights), grad, **attrs),
    )


@gradient_of("Conv3DBackpropInputV2")
def _conv3d_backprop_input(op: Any, grad: Any) -> Any:
    weights, dy = op.inputs[1], op.inputs[2]
    attrs = _conv_attrs(op)
    return None, g.conv3d_backprop_filter_v2(grad, shape(weights), dy, **attrs), g.conv3d(grad, weights, **attrs)


@gradient_of("Conv3DBackpropFilterV2")
def _conv3d_backprop_filter(op: Any, grad: Any) -> Any:
    x, dy = op.inputs[0], op.inputs[2]
    attrs = _conv_attrs(op)
    return g.conv3d_backprop_input_v2(shape(x), grad, dy, **attrs), None, g.conv3d(x, grad, **attrs)


@gradient_of("DepthwiseConv2dNativeBackpropInput")
def _depthwise_backprop_input(op: Any, grad: Any) -> Any:
    weights, dy = op.inputs[1], op.inputs[2]
    attrs = _conv_attrs(op)
    return (
        None,
        g.depthwise_conv2d_native_backprop_filter(grad, shape(weights), dy, **attrs),
        g.depthwise_conv2d_native(grad, weights, **attrs),
    )


@gradient_of("DepthwiseConv2dNativeBackpropFilter")
def _depthwise_backprop_filter(op: Any, grad: Any) -> Any:
    x, dy = op.inputs[0], op.inputs[2]
    attrs = _conv_attrs(op)
    return (
        g.depthwise_conv2d_native_backprop_input(shape(x), grad, dy, **attrs),
        None,
        g.depthwise_conv2d_native(x, grad, **attrs),
    )


def _batch_norm_of_version(op: Any, grad: Any, backward: Any) -> Any:
    x, scale = op.inputs[0], op.inputs[1]
    training = op._raw_attr("is_training")
    saved = (op.outputs[3], op.outputs[4]) if training else (op.inputs[3], op.inputs[4])
    attrs = {"epsilon": op._raw_attr("epsilon"), "data_format": op._raw_attr("data_format").decode()}
    dx, dscale, doffset, _, _ = backward(grad, x, scale, *saved, is_training=training, **attrs)
    return dx, dscale, doffset, None, None


@gradient_of("FusedBatchNorm")
def _fused_batch_norm_v1(op: Any, *grads: Any) -> Any:
    return _batch_norm_of_version(op, grads[0], g.fused_batch_norm_grad)


@gradient_of("FusedBatchNormV2")
def _fused_batch_norm_v2(op: Any, *grads: Any) -> Any:
    return _batch_norm_of_version(op, grads[0], g.fused_batch_norm_grad_v2)


@gradient_of("FusedBatchNormV3")
def _fused_batch_norm_v3(op: Any, *grads: Any) -> Any:
    def backward(dy: Any, x: Any, scale: Any, mean: Any, variance: Any, **attrs: Any) -> Any:
        return g.fused_batch_norm_grad_v3(dy, x, scale, mean, variance, op.outputs[5], **attrs)

    return _batch_norm_of_version(op, grads[0], backward)
