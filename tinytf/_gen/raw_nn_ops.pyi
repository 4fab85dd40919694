"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.nn_ops import _FusedBatchNormOutputs, _FusedBatchNormGradOutputs, _FusedBatchNormGradV2Outputs, _FusedBatchNormGradV3Outputs, _FusedBatchNormV2Outputs, _FusedBatchNormV3Outputs, _MaxPoolWithArgmaxOutputs, _SoftmaxCrossEntropyWithLogitsOutputs, _SparseSoftmaxCrossEntropyWithLogitsOutputs, _TopKOutputs, _TopKV2Outputs

def AvgPool(*, value: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Computes the mean of each window of the images `value` [batch, height, width, channels], or channels first by `data_format`. Padding is not counted. `ksize` and `strides` have one entry per dimension."""

def AvgPool3D(*, input: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', name: str | None = None) -> Tensor:
    """Computes the mean of each window of the volumes `input` [batch, depth, height, width, channels], or channels first by `data_format`. Padding is not counted."""

def AvgPool3DGrad(*, orig_input_shape: TensorLike, grad: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', name: str | None = None) -> Tensor:
    """Computes the gradient of `AvgPool3D` with respect to its input, whose shape is `orig_input_shape` [5], from the gradient `grad` of its output."""

def AvgPoolGrad(*, orig_input_shape: TensorLike, grad: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Computes the gradient of `AvgPool` with respect to its input, whose shape is `orig_input_shape` [4], from the gradient `grad` of its output."""

def BiasAdd(*, value: TensorLike, bias: TensorLike, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Adds `bias` [channels] to `value`, whose channels are the last dimension (`NHWC`) or dimension 1 (`NCHW`)."""

def BiasAddGrad(*, out_backprop: TensorLike, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Computes the gradient of `BiasAdd` with respect to the bias: the sum of `out_backprop` over all dimensions except the channels."""

def Conv2D(*, input: TensorLike, filter: TensorLike, strides: Sequence[int], padding: str | bytes, use_cudnn_on_gpu: bool | None = True, explicit_paddings: Sequence[int] | None = (), data_format: str | bytes | None = 'NHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Computes the cross-correlation of the images `input` [batch, height, width, in], or channels first by `data_format`, with `filter` [height, width, in, out]. `strides` and `dilations` have one entry per dimension, which is 1 for batch and channels; `explicit_paddings` has a pair of entries per dimension."""

def Conv2DBackpropFilter(*, input: TensorLike, filter_sizes: TensorLike, out_backprop: TensorLike, strides: Sequence[int], padding: str | bytes, use_cudnn_on_gpu: bool | None = True, explicit_paddings: Sequence[int] | None = (), data_format: str | bytes | None = 'NHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Computes the gradient of `Conv2D` with respect to its filter, whose shape is `filter_sizes` [4]."""

def Conv2DBackpropInput(*, input_sizes: TensorLike, filter: TensorLike, out_backprop: TensorLike, strides: Sequence[int], padding: str | bytes, use_cudnn_on_gpu: bool | None = True, explicit_paddings: Sequence[int] | None = (), data_format: str | bytes | None = 'NHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Computes the gradient of `Conv2D` with respect to its input, whose shape is `input_sizes` [4]. It is also the transposed convolution of `out_backprop` with `filter`."""

def Conv3D(*, input: TensorLike, filter: TensorLike, strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Computes the cross-correlation of the volumes `input` [batch, depth, height, width, in], or channels first by `data_format`, with `filter` [depth, height, width, in, out]."""

def Conv3DBackpropFilterV2(*, input: TensorLike, filter_sizes: TensorLike, out_backprop: TensorLike, strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Computes the gradient of `Conv3D` with respect to its filter, whose shape is `filter_sizes` [5]."""

def Conv3DBackpropInputV2(*, input_sizes: TensorLike, filter: TensorLike, out_backprop: TensorLike, strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Computes the gradient of `Conv3D` with respect to its input, whose shape is `input_sizes` [5]. It is also the transposed convolution of `out_backprop` with `filter`."""

def DepthwiseConv2dNative(*, input: TensorLike, filter: TensorLike, strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Convolves each channel of the images `input` [batch, height, width, channels], or channels first by `data_format`, with filters of its own from `filter` [height, width, channels, multiplier]. Output channel `c * multiplier + q` is computed from input channel `c`."""

def DepthwiseConv2dNativeBackpropFilter(*, input: TensorLike, filter_sizes: TensorLike, out_backprop: TensorLike, strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Computes the gradient of `DepthwiseConv2dNative` with respect to its filter, whose shape is `filter_sizes` [4]."""

def DepthwiseConv2dNativeBackpropInput(*, input_sizes: TensorLike, filter: TensorLike, out_backprop: TensorLike, strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Computes the gradient of `DepthwiseConv2dNative` with respect to its input, whose shape is `input_sizes` [4]."""

def Elu(*, features: TensorLike, name: str | None = None) -> Tensor:
    """Computes the exponential linear function element-wise: `exp(features) - 1` where `features < 0`, else `features`."""

def EluGrad(*, gradients: TensorLike, outputs: TensorLike, name: str | None = None) -> Tensor:
    """Computes the gradient of `Elu`: `gradients * (outputs + 1)` where `outputs < 0`, else `gradients`. Both inputs have equal shapes."""

def FusedBatchNorm(*, x: TensorLike, scale: TensorLike, offset: TensorLike, mean: TensorLike, variance: TensorLike, epsilon: float | None = 0.0001, data_format: str | bytes | None = 'NHWC', is_training: bool | None = True, name: str | None = None) -> _FusedBatchNormOutputs:
    """Normalizes each channel of `x`: `y = (x - m) / sqrt(v + epsilon) * scale + offset`. With `is_training`, `m` and `v` are the mean and the variance of the batch, `mean` and `variance` are empty, and `batch_variance` is the unbiased estimate; otherwise `m` and `v` are `mean` and `variance`. The reserved outputs are for the gradient op."""

def FusedBatchNormGrad(*, y_backprop: TensorLike, x: TensorLike, scale: TensorLike, reserve_space_1: TensorLike, reserve_space_2: TensorLike, epsilon: float | None = 0.0001, data_format: str | bytes | None = 'NHWC', is_training: bool | None = True, name: str | None = None) -> _FusedBatchNormGradOutputs:
    """Computes the gradients of `FusedBatchNorm` with respect to `x`, `scale` and `offset`. `reserve_space_1` and `reserve_space_2` are the mean and the variance that the forward op used."""

def FusedBatchNormGradV2(*, y_backprop: TensorLike, x: TensorLike, scale: TensorLike, reserve_space_1: TensorLike, reserve_space_2: TensorLike, epsilon: float | None = 0.0001, data_format: str | bytes | None = 'NHWC', is_training: bool | None = True, name: str | None = None) -> _FusedBatchNormGradV2Outputs:
    """Computes the gradients of `FusedBatchNorm` with respect to `x`, `scale` and `offset`. `reserve_space_1` and `reserve_space_2` are the mean and the variance that the forward op used."""

def FusedBatchNormGradV3(*, y_backprop: TensorLike, x: TensorLike, scale: TensorLike, reserve_space_1: TensorLike, reserve_space_2: TensorLike, reserve_space_3: TensorLike, epsilon: float | None = 0.0001, data_format: str | bytes | None = 'NHWC', is_training: bool | None = True, name: str | None = None) -> _FusedBatchNormGradV3Outputs:
    """Computes the gradients of `FusedBatchNorm` with respect to `x`, `scale` and `offset`. `reserve_space_1` and `reserve_space_2` are the mean and the variance that the forward op used."""

def FusedBatchNormV2(*, x: TensorLike, scale: TensorLike, offset: TensorLike, mean: TensorLike, variance: TensorLike, epsilon: float | None = 0.0001, data_format: str | bytes | None = 'NHWC', is_training: bool | None = True, name: str | None = None) -> _FusedBatchNormV2Outputs:
    """Normalizes each channel of `x`: `y = (x - m) / sqrt(v + epsilon) * scale + offset`. With `is_training`, `m` and `v` are the mean and the variance of the batch, `mean` and `variance` are empty, and `batch_variance` is the unbiased estimate; otherwise `m` and `v` are `mean` and `variance`. The reserved outputs are for the gradient op."""

def FusedBatchNormV3(*, x: TensorLike, scale: TensorLike, offset: TensorLike, mean: TensorLike, variance: TensorLike, epsilon: float | None = 0.0001, data_format: str | bytes | None = 'NHWC', is_training: bool | None = True, name: str | None = None) -> _FusedBatchNormV3Outputs:
    """Normalizes each channel of `x`: `y = (x - m) / sqrt(v + epsilon) * scale + offset`. With `is_training`, `m` and `v` are the mean and the variance of the batch, `mean` and `variance` are empty, and `batch_variance` is the unbiased estimate; otherwise `m` and `v` are `mean` and `variance`. The reserved outputs are for the gradient op."""

def FusedPadConv2D(*, input: TensorLike, paddings: TensorLike, filter: TensorLike, mode: str | bytes, strides: Sequence[int], padding: str | bytes, name: str | None = None) -> Tensor:
    """Pads the images `input` [batch, height, width, channels] by `paddings` [4, 2] as `MirrorPad` does and convolves them with `filter` as `Conv2D` does. Batch and channels cannot be padded. The images must not be empty."""

def FusedResizeAndPadConv2D(*, input: TensorLike, size: TensorLike, paddings: TensorLike, filter: TensorLike, mode: str | bytes, strides: Sequence[int], padding: str | bytes, resize_align_corners: bool | None = False, name: str | None = None) -> Tensor:
    """Resizes the images `input` to `size` [2] as `ResizeBilinear` does, but in their own dtype, then pads and convolves them as `FusedPadConv2D` does."""

def InTopK(*, predictions: TensorLike, targets: TensorLike, k: int, name: str | None = None) -> Tensor:
    """Computes the same as `InTopKV2`, with `k` as an attr. Older graphs use it."""

def InTopKV2(*, predictions: TensorLike, targets: TensorLike, k: TensorLike, name: str | None = None) -> Tensor:
    """Computes for each row of `predictions` [batch, classes] whether the class given by `targets` [batch] is among the `k` largest predictions. Ties at the boundary all count as among the largest. The result is false if the target is out of range or its prediction is not finite."""

def L2Loss(*, t: TensorLike, name: str | None = None) -> Tensor:
    """Computes the scalar `sum(t ** 2) / 2`, half the sum of the squares of `t`."""

def LRN(*, input: TensorLike, depth_radius: int | None = 5, bias: float | None = 1, alpha: float | None = 1, beta: float | None = 0.5, name: str | None = None) -> Tensor:
    """Normalizes the images `input` [batch, height, width, channels]: divides each element by `(bias + alpha * sum) ** beta`, where `sum` is the sum of the squares of the element and its `depth_radius` neighbors on each side along the channels."""

def LRNGrad(*, input_grads: TensorLike, input_image: TensorLike, output_image: TensorLike, depth_radius: int | None = 5, bias: float | None = 1, alpha: float | None = 1, beta: float | None = 0.5, name: str | None = None) -> Tensor:
    """Computes the gradient of `LRN` from the gradient of its output `input_grads`, its input `input_image` and its output `output_image`."""

def LeakyRelu(*, features: TensorLike, alpha: float | None = 0.2, name: str | None = None) -> Tensor:
    """Computes `features` where they are positive and `alpha * features` elsewhere, element-wise."""

def LeakyReluGrad(*, gradients: TensorLike, features: TensorLike, alpha: float | None = 0.2, name: str | None = None) -> Tensor:
    """Computes the gradient of `LeakyRelu`: `gradients` where `features > 0`, else `alpha * gradients`. Both inputs have equal shapes."""

def LogSoftmax(*, logits: TensorLike, name: str | None = None) -> Tensor:
    """Computes `logits - log(sum(exp(logits)))` along the last dimension. `logits` must have at least one dimension."""

def MaxPool(*, input: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Computes the maximum of each window of the images `input` [batch, height, width, channels], or channels first by `data_format`. Padding is ignored. `ksize` and `strides` have one entry per dimension; windows may also extend over channels only."""

def MaxPool3D(*, input: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', name: str | None = None) -> Tensor:
    """Computes the maximum of each window of the volumes `input` [batch, depth, height, width, channels], or channels first by `data_format`."""

def MaxPool3DGrad(*, orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', name: str | None = None) -> Tensor:
    """Computes the gradient of `MaxPool3D`: adds each element of `grad` to all elements of its window that equal `orig_output`."""

def MaxPool3DGradGrad(*, orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', name: str | None = None) -> Tensor:
    """Computes the second gradient of `MaxPool3D`: for each window it returns the element of `grad`, which has the shape of `orig_input`, at the position of the first largest element."""

def MaxPoolGrad(*, orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Computes the gradient of `MaxPool`: adds each element of `grad` to the first largest element of its window."""

def MaxPoolGradGrad(*, orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Computes the second gradient of `MaxPool`: for each window it returns the element of `grad`, which has the shape of `orig_input`, at the position of the first largest element."""

def MaxPoolGradWithArgmax(*, input: TensorLike, grad: TensorLike, argmax: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, include_batch_in_index: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the gradient of `MaxPoolWithArgmax` with respect to its input: adds each element of `grad` at the index in `argmax`."""

def MaxPoolWithArgmax(*, input: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, Targmax: DTypeLike | None = _dtypes.int64, include_batch_in_index: bool | None = False, name: str | None = None) -> _MaxPoolWithArgmaxOutputs:
    """Computes the maximum of each window of the images `input` [batch, height, width, channels] as `MaxPool` does, and its flat index `argmax`: `(y * width + x) * channels + c`, or the index within the whole batch if `include_batch_in_index` is true."""

def Relu(*, features: TensorLike, name: str | None = None) -> Tensor:
    """Computes the rectified linear function `max(features, 0)` element-wise."""

def Relu6(*, features: TensorLike, name: str | None = None) -> Tensor:
    """Computes the rectified linear function with an upper bound, `min(max(features, 0), 6)`, element-wise."""

def Relu6Grad(*, gradients: TensorLike, features: TensorLike, name: str | None = None) -> Tensor:
    """Computes the gradient of `Relu6`: `gradients` where `0 < features < 6`, else 0. Both inputs have equal shapes."""

def ReluGrad(*, gradients: TensorLike, features: TensorLike, name: str | None = None) -> Tensor:
    """Computes the gradient of `Relu`: `gradients` where `features > 0`, else 0. Both inputs have equal shapes; `features` may also be the outputs of `Relu`."""

def Selu(*, features: TensorLike, name: str | None = None) -> Tensor:
    """Computes the scaled exponential linear function element-wise: `scale * alpha * (exp(features) - 1)` where `features < 0`, else `scale * features`. `scale` and `alpha` are the constants of self-normalizing networks."""

def SeluGrad(*, gradients: TensorLike, outputs: TensorLike, name: str | None = None) -> Tensor:
    """Computes the gradient of `Selu`: `gradients * (outputs + scale * alpha)` where `outputs < 0`, else `scale * gradients`. Both inputs have equal shapes."""

def Softmax(*, logits: TensorLike, name: str | None = None) -> Tensor:
    """Computes `exp(logits) / sum(exp(logits))` along the last dimension. `logits` must have at least one dimension."""

def SoftmaxCrossEntropyWithLogits(*, features: TensorLike, labels: TensorLike, name: str | None = None) -> _SoftmaxCrossEntropyWithLogitsOutputs:
    """Computes the cross entropy between `labels`, which hold a probability distribution in each row, and the softmax of `features`. Both broadcast to [batch, classes]. `loss` has shape [batch]; `backprop` [batch, classes] is its gradient with respect to `features`."""

def Softplus(*, features: TensorLike, name: str | None = None) -> Tensor:
    """Computes `log(exp(features) + 1)` element-wise."""

def SoftplusGrad(*, gradients: TensorLike, features: TensorLike, name: str | None = None) -> Tensor:
    """Computes the gradient of `Softplus`: `gradients / (exp(-features) + 1)`. Both inputs have equal shapes."""

def Softsign(*, features: TensorLike, name: str | None = None) -> Tensor:
    """Computes `features / (abs(features) + 1)` element-wise."""

def SoftsignGrad(*, gradients: TensorLike, features: TensorLike, name: str | None = None) -> Tensor:
    """Computes the gradient of `Softsign`: `gradients / (abs(features) + 1) ** 2`. Both inputs have equal shapes."""

def SparseSoftmaxCrossEntropyWithLogits(*, features: TensorLike, labels: TensorLike, name: str | None = None) -> _SparseSoftmaxCrossEntropyWithLogitsOutputs:
    """Computes the cross entropy between the class indices `labels` [batch] and the softmax of `features` [batch, classes]. `loss` has shape [batch]; `backprop` is its gradient with respect to `features`. Fails with InvalidArgument if a label is outside [0, classes)."""

def TopK(*, input: TensorLike, k: int, sorted: bool | None = True, name: str | None = None) -> _TopKOutputs:
    """Computes the same as `TopKV2`, with `k` as an attr. Older graphs use it."""

def TopKV2(*, input: TensorLike, k: TensorLike, sorted: bool | None = True, name: str | None = None) -> _TopKV2Outputs:
    """Finds the `k` largest elements along the last dimension of `input` and their indices, both with shape input.shape[:-1] + [k]. The values descend even if `sorted` is false; equal elements are ordered by index. Fails with InvalidArgument unless 0 <= k <= input.shape[-1]."""
