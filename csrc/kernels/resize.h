#pragma once

#include <cstddef>
#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"

namespace tinytf::kernels {

/// Where a place between two neighbours lies, along one axis.
struct Between {
  int32_t lower, upper;  ///< of the neighbours; upper is lower or lower + 1
  float weight;          ///< of the upper one
};

/// Images [batch, height, width, channels], dense: `in`, and `out`, which is that in another size. For each row and
/// column of `out`, `rows` and `columns` say which ones of `in` it lies between; these only grow, and are within `in`.
struct ResizeShape {
  int64_t batch = 0;
  int64_t in_height = 0, in_width = 0;
  int64_t out_height = 0, out_width = 0;
  int64_t channels = 0;
  const Between* rows = nullptr;     ///< out_height of them
  const Between* columns = nullptr;  ///< out_width of them
};

/// Thread-safe; results do not depend on thread counts. Sizes are 1 or more.
struct ResizeTable {
  /// Each point of `out` lies between four of `in`. Half and bfloat16 are computed in float, double in double.
  using Bilinear = void (*)(const ResizeShape&, const void* in, void* out, Parallel&);
  /// `grads` has the size of `out`, `to` that of `in`: each point of `to` gets its shares of those of `grads` that it
  /// was a neighbour of, in the order of these.
  using Gradient = void (*)(const ResizeShape&, const void* grads, void* to, Parallel&);
  /// Each point of `out`, of `bytes` bytes, is the one of `in` that is the lower one of its row and column.
  using Nearest = void (*)(const ResizeShape&, int64_t bytes, const void* in, void* out, Parallel&);

  Bilinear bilinear[kDTypeCount] = {};       ///< by DType of `in`; `out` is float
  Bilinear bilinear_same[kDTypeCount] = {};  ///< `out` is of the same: half, float, double
  Gradient bilinear_grad[kDTypeCount] = {};  ///< by DType of `to`: half, float, double; `grads` are float
  Nearest nearest = nullptr;
  Gradient nearest_grad[kDTypeCount] = {};  ///< half, float, double, and integers, whose sums wrap around
};

}  // namespace tinytf::kernels
