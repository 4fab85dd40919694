#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"

namespace tinytf::kernels {

/// Batch normalization of x [rows, channels] and local response normalization along the last dimension, dense. Types:
/// half, bfloat16, float; parameters and statistics are floats, one per channel. Results do not depend on thread
/// counts.
struct NormalizeTable {
  /// Mean and variance (divided by rows) of each channel; rows >= 1.
  using Statistics = void (*)(const void* x, int64_t rows, int64_t channels, float* mean, float* variance, Parallel&);
  /// y = (x - mean) * factor + offset. `y` may be `x`.
  using Apply = void (*)(const void* x, int64_t rows, int64_t channels, const float* mean, const float* factor,
                         const float* offset, void* y, Parallel&);
  /// Sums over the rows of dy and of dy * (x - mean).
  using GradSums = void (*)(const void* dy, const void* x, int64_t rows, int64_t channels, const float* mean,
                            float* sum_dy, float* sum_dy_x, Parallel&);
  /// dx = (dy - dy_mean) * factor - (x - mean) * x_factor. `dx` may be `dy`.
  using GradApply = void (*)(const void* dy, const void* x, int64_t rows, int64_t channels, const float* mean,
                             const float* dy_mean, const float* factor, const float* x_factor, void* dx, Parallel&);

  struct Lrn {
    int64_t radius;  // Neighbors on each side.
    float bias, alpha, beta;
  };
  /// y = x / (bias + alpha * (sum of x ** 2 over the neighbors)) ** beta. `y` must not be `x`.
  using LrnForward = void (*)(const void* x, int64_t rows, int64_t depth, const Lrn&, void* y, Parallel&);
  using LrnGrad = void (*)(const void* dy, const void* x, const void* y, int64_t rows, int64_t depth, const Lrn&,
                           void* dx, Parallel&);

  Statistics statistics[kDTypeCount] = {};  // Indexed by DType.
  Apply apply[kDTypeCount] = {};
  GradSums grad_sums[kDTypeCount] = {};
  GradApply grad_apply[kDTypeCount] = {};
  LrnForward lrn[kDTypeCount] = {};
  LrnGrad lrn_grad[kDTypeCount] = {};
};

}  // namespace tinytf::kernels
