#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"
#include "kernels/window.h"

namespace tinytf::kernels {

/// Pooling over one to three spatial axes: input [batch, window.in..., channels], output [batch, window.out...,
/// channels], dense. window.dilation is 1. A window that holds no input point yields the lowest value (max) or NaN
/// (average).
struct PoolShape {
  int64_t batch = 0;
  int64_t channels = 0;
  Window window;
};

/// Thread-safe; results do not depend on thread counts; nothing is allocated. Gradients overwrite in_backprop
/// completely and add the contributions of overlapping windows in the order of the outputs.
struct PoolTable {
  /// Largest element of each window, starting from the type's lowest finite value and taking x when best < x: NaNs and
  /// -inf are ignored, as in TensorFlow. All real numeric types.
  using Max = void (*)(const PoolShape& shape, const void* input, void* output, Parallel& parallel);

  /// As Max, plus the index of the first largest element in row-major order of the window, counted in elements of the
  /// image (y * width + x) * channels + c, or of the whole input if include_batch. Here the first element of a window
  /// is always the initial best, so a NaN there is kept. `output` may be null. A window without input points has index
  /// -1. All real numeric types.
  using MaxArgmax = void (*)(const PoolShape& shape, const void* input, void* output, int64_t* argmax,
                             bool include_batch, Parallel& parallel);

  /// Sends each element of out_backprop to the input point that MaxArgmax finds. All real numeric types.
  using MaxGrad = void (*)(const PoolShape& shape, const void* input, const void* out_backprop, void* in_backprop,
                           Parallel& parallel);

  /// Sends each element of out_backprop to every input point of its window that equals its element of `output`; a NaN
  /// equals nothing. half, bfloat16, float.
  using MaxGradEqual = void (*)(const PoolShape& shape, const void* input, const void* output, const void* out_backprop,
                                void* in_backprop, Parallel& parallel);

  /// Mean over the input points of each window; padding does not count. half, bfloat16 (both sum in float), float,
  /// double.
  using Average = void (*)(const PoolShape& shape, const void* input, void* output, Parallel& parallel);
  using AverageGrad = void (*)(const PoolShape& shape, const void* out_backprop, void* in_backprop, Parallel& parallel);

  Max max[kDTypeCount] = {};  // Indexed by DType; null if a type has no loop.
  MaxArgmax max_argmax[kDTypeCount] = {};
  MaxGrad max_grad[kDTypeCount] = {};
  MaxGradEqual max_grad_equal[kDTypeCount] = {};
  Average average[kDTypeCount] = {};
  AverageGrad average_grad[kDTypeCount] = {};
};

}  // namespace tinytf::kernels
