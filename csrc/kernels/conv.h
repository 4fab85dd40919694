#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"
#include "kernels/window.h"

namespace tinytf::kernels {

/// Convolution (TensorFlow's, which does not flip the filter) over one to three spatial axes. All tensors dense:
/// input [batch, window.in..., in_channels], filter [window.size..., in_channels, out_channels],
/// output [batch, window.out..., out_channels].
struct ConvShape {
  int64_t batch = 0;
  int64_t in_channels = 0;
  int64_t out_channels = 0;
  Window window;
};

/// Operations on the forward product before it is stored.
struct ConvEpilogue {
  const void* bias = nullptr;  // out_channels elements, or null.
  bool relu = false;           // Then max(x, 0).
};

/// Depthwise convolution: input [batch, in..., channels], filter [size..., channels, multiplier],
/// output [batch, out..., channels * multiplier]; output channel c * multiplier + q reads input channel c.
struct DepthwiseShape {
  int64_t batch = 0;
  int64_t channels = 0;
  int64_t multiplier = 1;
  Window window;
};

/// Types: float, double, half, bfloat16 (the last two compute in float); other entries are null. Outputs are
/// overwritten completely, with zeros at points that no tap reaches, and must not overlap inputs. Any extent may be 0.
/// Thread-safe; results do not depend on thread counts; scratch memory is kept per thread and reused.
struct ConvTable {
  using Forward = void (*)(const ConvShape& shape, const void* input, const void* filter, void* output,
                           const ConvEpilogue& epilogue, Parallel& parallel);
  using BackpropInput = void (*)(const ConvShape& shape, const void* filter, const void* out_backprop,
                                 void* in_backprop, Parallel& parallel);
  using BackpropFilter = void (*)(const ConvShape& shape, const void* input, const void* out_backprop,
                                  void* filter_backprop, Parallel& parallel);

  Forward forward[kDTypeCount] = {};  // Indexed by DType.
  BackpropInput backprop_input[kDTypeCount] = {};
  BackpropFilter backprop_filter[kDTypeCount] = {};

  using Depthwise = void (*)(const DepthwiseShape& shape, const void* input, const void* filter, void* output,
                             Parallel& parallel);
  using DepthwiseBackpropInput = void (*)(const DepthwiseShape& shape, const void* filter, const void* out_backprop,
                                          void* in_backprop, Parallel& parallel);
  using DepthwiseBackpropFilter = void (*)(const DepthwiseShape& shape, const void* input, const void* out_backprop,
                                           void* filter_backprop, Parallel& parallel);

  Depthwise depthwise[kDTypeCount] = {};
  DepthwiseBackpropInput depthwise_backprop_input[kDTypeCount] = {};
  DepthwiseBackpropFilter depthwise_backprop_filter[kDTypeCount] = {};
};

}  // namespace tinytf::kernels
