"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.nn_ops import _FusedBatchNormOutputs, _FusedBatchNormGradOutputs, _FusedBatchNormGradV2Outputs, _FusedBatchNormGradV3Outputs, _FusedBatchNormV2Outputs, _FusedBatchNormV3Outputs, _MaxPoolWithArgmaxOutputs, _SoftmaxCrossEntropyWithLogitsOutputs, _SparseSoftmaxCrossEntropyWithLogitsOutputs, _TopKOutputs, _TopKV2Outputs

def AvgPool(*, value: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """The mean of each window of images [batch, height, width, channels] (or channels first); padding does not count. `ksize` and `strides` have an entry per dimension."""

def AvgPool3D(*, input: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', name: str | None = None) -> Tensor:
    """The mean of each window of volumes [batch, depth, height, width, channels] (or channels first)."""

def AvgPool3DGrad(*, orig_input_shape: TensorLike, grad: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', name: str | None = None) -> Tensor:
    """Gradient of `AvgPool3D` for its input, whose shape is `orig_input_shape` [5]."""

def AvgPoolGrad(*, orig_input_shape: TensorLike, grad: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Gradient of `AvgPool` for its input, whose shape is `orig_input_shape` [4]."""

def BiasAdd(*, value: TensorLike, bias: TensorLike, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Adds `bias` [channels] to `value`, whose channels are the last dimension (`NHWC`) or dimension 1 (`NCHW`)."""

def BiasAddGrad(*, out_backprop: TensorLike, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Gradient of `BiasAdd` for the bias: the sum of `out_backprop` over all dimensions but the channels."""

def Conv2D(*, input: TensorLike, filter: TensorLike, strides: Sequence[int], padding: str | bytes, use_cudnn_on_gpu: bool | None = True, explicit_paddings: Sequence[int] | None = (), data_format: str | bytes | None = 'NHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Cross-correlation of images [batch, height, width, in] (or channels first, as `data_format` says) with a filter [height, width, in, out]. `strides` and `dilations` have an entry per dimension, those of batch and channels are 1; `explicit_paddings` a pair per dimension."""

def Conv2DBackpropFilter(*, input: TensorLike, filter_sizes: TensorLike, out_backprop: TensorLike, strides: Sequence[int], padding: str | bytes, use_cudnn_on_gpu: bool | None = True, explicit_paddings: Sequence[int] | None = (), data_format: str | bytes | None = 'NHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Gradient of `Conv2D` for its filter, whose shape is `filter_sizes` [4]."""

def Conv2DBackpropInput(*, input_sizes: TensorLike, filter: TensorLike, out_backprop: TensorLike, strides: Sequence[int], padding: str | bytes, use_cudnn_on_gpu: bool | None = True, explicit_paddings: Sequence[int] | None = (), data_format: str | bytes | None = 'NHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Gradient of `Conv2D` for its input, whose shape is `input_sizes` [4]; also the transposed convolution."""

def Conv3D(*, input: TensorLike, filter: TensorLike, strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Cross-correlation of volumes [batch, depth, height, width, in] (or channels first, as `data_format` says) with a filter [depth, height, width, in, out]."""

def Conv3DBackpropFilterV2(*, input: TensorLike, filter_sizes: TensorLike, out_backprop: TensorLike, strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Gradient of `Conv3D` for its filter, whose shape is `filter_sizes` [5]."""

def Conv3DBackpropInputV2(*, input_sizes: TensorLike, filter: TensorLike, out_backprop: TensorLike, strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Gradient of `Conv3D` for its input, whose shape is `input_sizes` [5]; also the transposed convolution."""

def DepthwiseConv2dNative(*, input: TensorLike, filter: TensorLike, strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Convolves each channel of images [batch, height, width, channels] (or channels first) with its own filters, [height, width, channels, multiplier]: output channel `c * multiplier + q` comes from input channel `c`."""

def DepthwiseConv2dNativeBackpropFilter(*, input: TensorLike, filter_sizes: TensorLike, out_backprop: TensorLike, strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Gradient of `DepthwiseConv2dNative` for its filter, whose shape is `filter_sizes` [4]."""

def DepthwiseConv2dNativeBackpropInput(*, input_sizes: TensorLike, filter: TensorLike, out_backprop: TensorLike, strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', dilations: Sequence[int] | None = (1, 1, 1, 1, ), name: str | None = None) -> Tensor:
    """Gradient of `DepthwiseConv2dNative` for its input, whose shape is `input_sizes` [4]."""

def Elu(*, features: TensorLike, name: str | None = None) -> Tensor:
    """Exponential linear: `exp(features) - 1` where negative, else `features`, element-wise."""

def EluGrad(*, gradients: TensorLike, outputs: TensorLike, name: str | None = None) -> Tensor:
    """Gradient of `Elu`: `gradients * (outputs + 1)` where `outputs < 0`, else `gradients`. Both inputs have one shape."""

def FusedBatchNorm(*, x: TensorLike, scale: TensorLike, offset: TensorLike, mean: TensorLike, variance: TensorLike, epsilon: float | None = 0.0001, data_format: str | bytes | None = 'NHWC', is_training: bool | None = True, name: str | None = None) -> _FusedBatchNormOutputs:
    """Normalises each channel of `x`: `y = (x - m) / sqrt(v + epsilon) * scale + offset`. In training `m` and `v` are the batch's mean and variance (`mean` and `variance` are empty then; `batch_variance` is the unbiased one), else `mean` and `variance`. The reserved outputs are for the gradient."""

def FusedBatchNormGrad(*, y_backprop: TensorLike, x: TensorLike, scale: TensorLike, reserve_space_1: TensorLike, reserve_space_2: TensorLike, epsilon: float | None = 0.0001, data_format: str | bytes | None = 'NHWC', is_training: bool | None = True, name: str | None = None) -> _FusedBatchNormGradOutputs:
    """Gradients of `FusedBatchNorm` for `x`, `scale` and `offset`. The reserved inputs are the mean and the variance that the forward op used."""

def FusedBatchNormGradV2(*, y_backprop: TensorLike, x: TensorLike, scale: TensorLike, reserve_space_1: TensorLike, reserve_space_2: TensorLike, epsilon: float | None = 0.0001, data_format: str | bytes | None = 'NHWC', is_training: bool | None = True, name: str | None = None) -> _FusedBatchNormGradV2Outputs:
    """Gradients of `FusedBatchNorm` for `x`, `scale` and `offset`. The reserved inputs are the mean and the variance that the forward op used."""

def FusedBatchNormGradV3(*, y_backprop: TensorLike, x: TensorLike, scale: TensorLike, reserve_space_1: TensorLike, reserve_space_2: TensorLike, reserve_space_3: TensorLike, epsilon: float | None = 0.0001, data_format: str | bytes | None = 'NHWC', is_training: bool | None = True, name: str | None = None) -> _FusedBatchNormGradV3Outputs:
    """Gradients of `FusedBatchNorm` for `x`, `scale` and `offset`. The reserved inputs are the mean and the variance that the forward op used."""

def FusedBatchNormV2(*, x: TensorLike, scale: TensorLike, offset: TensorLike, mean: TensorLike, variance: TensorLike, epsilon: float | None = 0.0001, data_format: str | bytes | None = 'NHWC', is_training: bool | None = True, name: str | None = None) -> _FusedBatchNormV2Outputs:
    """Normalises each channel of `x`: `y = (x - m) / sqrt(v + epsilon) * scale + offset`. In training `m` and `v` are the batch's mean and variance (`mean` and `variance` are empty then; `batch_variance` is the unbiased one), else `mean` and `variance`. The reserved outputs are for the gradient."""

def FusedBatchNormV3(*, x: TensorLike, scale: TensorLike, offset: TensorLike, mean: TensorLike, variance: TensorLike, epsilon: float | None = 0.0001, data_format: str | bytes | None = 'NHWC', is_training: bool | None = True, name: str | None = None) -> _FusedBatchNormV3Outputs:
    """Normalises each channel of `x`: `y = (x - m) / sqrt(v + epsilon) * scale + offset`. In training `m` and `v` are the batch's mean and variance (`mean` and `variance` are empty then; `batch_variance` is the unbiased one), else `mean` and `variance`. The reserved outputs are for the gradient."""

def FusedPadConv2D(*, input: TensorLike, paddings: TensorLike, filter: TensorLike, mode: str | bytes, strides: Sequence[int], padding: str | bytes, name: str | None = None) -> Tensor:
    """`Conv2D` of what `MirrorPad` makes of images [batch, height, width, channels], whose batch and channels `paddings` [4, 2] leave as they are. Images must not be empty."""

def FusedResizeAndPadConv2D(*, input: TensorLike, size: TensorLike, paddings: TensorLike, filter: TensorLike, mode: str | bytes, strides: Sequence[int], padding: str | bytes, resize_align_corners: bool | None = False, name: str | None = None) -> Tensor:
    """`FusedPadConv2D` of what `ResizeBilinear` makes of images, in their own type; `size` [2] is that of it."""

def InTopK(*, predictions: TensorLike, targets: TensorLike, k: int, name: str | None = None) -> Tensor:
    """`InTopKV2` with `k` as an attr, for old graphs."""

def InTopKV2(*, predictions: TensorLike, targets: TensorLike, k: TensorLike, name: str | None = None) -> Tensor:
    """For each row of `predictions` [batch, classes] whether class `targets` [batch] is among the `k` largest; ties at the border all count as inside. False for a target out of range or not finite."""

def L2Loss(*, t: TensorLike, name: str | None = None) -> Tensor:
    """Half the sum of squares: the scalar `sum(t ** 2) / 2`."""

def LRN(*, input: TensorLike, depth_radius: int | None = 5, bias: float | None = 1, alpha: float | None = 1, beta: float | None = 0.5, name: str | None = None) -> Tensor:
    """Local response normalisation of images [batch, height, width, channels]: each element over `(bias + alpha * sum) ** beta`, the sum being that of the squares of `depth_radius` neighbours on each side in its channel vector and its own."""

def LRNGrad(*, input_grads: TensorLike, input_image: TensorLike, output_image: TensorLike, depth_radius: int | None = 5, bias: float | None = 1, alpha: float | None = 1, beta: float | None = 0.5, name: str | None = None) -> Tensor:
    """Gradient of `LRN` from the gradient of its output, its input and its output."""

def LeakyRelu(*, features: TensorLike, alpha: float | None = 0.2, name: str | None = None) -> Tensor:
    """`features` where positive, else `alpha * features`, element-wise."""

def LeakyReluGrad(*, gradients: TensorLike, features: TensorLike, alpha: float | None = 0.2, name: str | None = None) -> Tensor:
    """Gradient of `LeakyRelu`: `gradients` where `features > 0`, else `alpha * gradients`. Both inputs have one shape."""

def LogSoftmax(*, logits: TensorLike, name: str | None = None) -> Tensor:
    """`logits - log(sum(exp(logits)))` along the last dimension. `logits` has at least one dimension."""

def MaxPool(*, input: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """The largest element of each window of images [batch, height, width, channels] (or channels first). `ksize` and `strides` have an entry per dimension. Padding never wins. Windows may also run over channels alone."""

def MaxPool3D(*, input: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', name: str | None = None) -> Tensor:
    """The largest element of each window of volumes [batch, depth, height, width, channels] (or channels first)."""

def MaxPool3DGrad(*, orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', name: str | None = None) -> Tensor:
    """Gradient of `MaxPool3D`: each element of `grad` goes to all elements of its window that equal `orig_output`."""

def MaxPool3DGradGrad(*, orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NDHWC', name: str | None = None) -> Tensor:
    """Second gradient of `MaxPool3D`: for each window the element of `grad`, which has the shape of `orig_input`, at the place of the first largest element."""

def MaxPoolGrad(*, orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Gradient of `MaxPool`: each element of `grad` goes to the first largest element of its window."""

def MaxPoolGradGrad(*, orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Second gradient of `MaxPool`: for each window the element of `grad`, which has the shape of `orig_input`, at the place of the first largest element."""

def MaxPoolGradWithArgmax(*, input: TensorLike, grad: TensorLike, argmax: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, include_batch_in_index: bool | None = False, name: str | None = None) -> Tensor:
    """Gradient of `MaxPoolWithArgmax` for its input: each element of `grad` goes where `argmax` says."""

def MaxPoolWithArgmax(*, input: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, Targmax: DTypeLike | None = _dtypes.int64, include_batch_in_index: bool | None = False, name: str | None = None) -> _MaxPoolWithArgmaxOutputs:
    """`MaxPool` of images [batch, height, width, channels] together with the flat index of each maximum: `(y * width + x) * channels + c`, or over the whole batch with `include_batch_in_index`."""

def Relu(*, features: TensorLike, name: str | None = None) -> Tensor:
    """Rectified linear: `max(features, 0)`, element-wise."""

def Relu6(*, features: TensorLike, name: str | None = None) -> Tensor:
    """Rectified linear with an upper bound: `min(max(features, 0), 6)`, element-wise."""

def Relu6Grad(*, gradients: TensorLike, features: TensorLike, name: str | None = None) -> Tensor:
    """Gradient of `Relu6`: `gradients` where `0 < features < 6`, else 0. Both inputs have one shape."""

def ReluGrad(*, gradients: TensorLike, features: TensorLike, name: str | None = None) -> Tensor:
    """Gradient of `Relu`: `gradients` where `features > 0`, else 0. Both inputs have one shape; `features` may also be the outputs of `Relu`."""

def Selu(*, features: TensorLike, name: str | None = None) -> Tensor:
    """Scaled exponential linear: `scale * alpha * (exp(features) - 1)` where negative, else `scale * features`, with the constants of self-normalising networks."""

def SeluGrad(*, gradients: TensorLike, outputs: TensorLike, name: str | None = None) -> Tensor:
    """Gradient of `Selu`: `gradients * (outputs + scale * alpha)` where `outputs < 0`, else `scale * gradients`. Both inputs have one shape."""

def Softmax(*, logits: TensorLike, name: str | None = None) -> Tensor:
    """`exp(logits)` over its sum along the last dimension. `logits` has at least one dimension."""

def SoftmaxCrossEntropyWithLogits(*, features: TensorLike, labels: TensorLike, name: str | None = None) -> _SoftmaxCrossEntropyWithLogitsOutputs:
    """Cross entropy between `labels` (a distribution in each row) and the softmax of `features`, which broadcast to [batch, classes]: `loss` [batch] and its gradient `backprop` [batch, classes] for `features`."""

def Softplus(*, features: TensorLike, name: str | None = None) -> Tensor:
    """`log(exp(features) + 1)`, element-wise."""

def SoftplusGrad(*, gradients: TensorLike, features: TensorLike, name: str | None = None) -> Tensor:
    """Gradient of `Softplus`: `gradients / (exp(-features) + 1)`. Both inputs have one shape."""

def Softsign(*, features: TensorLike, name: str | None = None) -> Tensor:
    """`features / (abs(features) + 1)`, element-wise."""

def SoftsignGrad(*, gradients: TensorLike, features: TensorLike, name: str | None = None) -> Tensor:
    """Gradient of `Softsign`: `gradients / (abs(features) + 1) ** 2`. Both inputs have one shape."""

def SparseSoftmaxCrossEntropyWithLogits(*, features: TensorLike, labels: TensorLike, name: str | None = None) -> _SparseSoftmaxCrossEntropyWithLogitsOutputs:
    """Cross entropy between class numbers `labels` [batch] and the softmax of `features` [batch, classes]: `loss` [batch] and its gradient `backprop` for `features`. InvalidArgument for a label outside [0, classes)."""

def TopK(*, input: TensorLike, k: int, sorted: bool | None = True, name: str | None = None) -> _TopKOutputs:
    """`TopKV2` with `k` as an attr, for old graphs."""

def TopKV2(*, input: TensorLike, k: TensorLike, sorted: bool | None = True, name: str | None = None) -> _TopKV2Outputs:
    """The `k` largest elements along the last dimension and their indices, both of shape input.shape[:-1] + [k]. Equal elements come in order of their index; the values descend, whatever `sorted` says. InvalidArgument unless 0 <= k <= input.shape[-1]."""
