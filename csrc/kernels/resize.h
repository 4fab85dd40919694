#pragma once

#include <cstddef>
#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"

namespace tinytf::kernels {

/// Position between two neighbors along one axis.
struct Between {
  int32_t lower, upper;  ///< Indices of the neighbors; upper is lower or lower + 1.
  float weight;          ///< Weight of the upper one.
};

/// Dense images [batch, height, width, channels]: `in`, and `out`, which is `in` resized. `rows` and `columns` give the
/// neighbors in `in` of each row and column of `out`; these must not descend, and must be within `in`.
struct ResizeShape {
  int64_t batch = 0;
  int64_t in_height = 0, in_width = 0;
  int64_t out_height = 0, out_width = 0;
  int64_t channels = 0;
  const Between* rows = nullptr;     ///< out_height elements.
  const Between* columns = nullptr;  ///< out_width elements.
};

/// Thread-safe; results do not depend on thread counts. Sizes are 1 or more.
struct ResizeTable {
  /// Each point of `out` lies between four of `in`. Computed in float, except for double in bilinear_same.
  using Bilinear = void (*)(const ResizeShape&, const void* in, void* out, Parallel&);
  /// `grads` has the size of `out`, `to` the size of `in`: each point of `to` is the sum of its shares of the points of
  /// `grads` that it was a neighbor for, in their order.
  using Gradient = void (*)(const ResizeShape&, const void* grads, void* to, Parallel&);
  /// Each point of `out`, of `bytes` bytes, is the point of `in` at its lower row and column.
  using Nearest = void (*)(const ResizeShape&, int64_t bytes, const void* in, void* out, Parallel&);

  Bilinear bilinear[kDTypeCount] = {};       ///< Indexed by DType of `in`; `out` is float.
  Bilinear bilinear_same[kDTypeCount] = {};  ///< `out` has the dtype of `in`: half, float, double.
  Gradient bilinear_grad[kDTypeCount] = {};  ///< Indexed by DType of `to`: half, float, double; `grads` are float.
  Nearest nearest = nullptr;
  Gradient nearest_grad[kDTypeCount] = {};  ///< half, float, double, and integers, whose sums wrap around
};

}  // namespace tinytf::kernels
