#pragma once

#include <algorithm>
#include <string>

#include "tensor/tensor.h"

namespace tinytf::ops {

/// Approximate cost in nanoseconds of copying an object (a short string, a handle), for loops over tensors of them.
inline constexpr double kObjectCost = 30;

/// Approximate cost in nanoseconds of copying `inner` elements of a tensor of any dtype.
inline double row_cost(const Tensor& tensor, int64_t inner) {
  const size_t size = dtype_size(tensor.dtype());
  return 10 + (size > 0 ? 0.1 * static_cast<double>(size) : kObjectCost) * static_cast<double>(inner);
}

/// Approximate cost in nanoseconds of processing one string at `per_byte` nanoseconds per byte, from the mean length of
/// a sample of the strings.
inline double text_cost(const Tensor& strings, double per_byte) {
  constexpr int64_t kSamples = 16;
  const int64_t n = strings.num_elements(), samples = std::min(n, kSamples);
  double bytes = 0;
  for (int64_t i = 0; i < samples; ++i) {
    bytes += static_cast<double>(strings.data<std::string>()[n / samples * i].size());
  }
  return kObjectCost + per_byte * bytes / static_cast<double>(std::max<int64_t>(samples, 1));
}

}  // namespace tinytf::ops
