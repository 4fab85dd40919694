#pragma once

#include <algorithm>
#include <string>

#include "tensor/tensor.h"

namespace tinytf::ops {

/// Nanoseconds that copying an object (a short string, a handle) takes, about: for loops over tensors of them.
inline constexpr double kObjectCost = 30;

/// Nanoseconds to copy `inner` elements of a tensor of any type to anywhere, about.
inline double row_cost(const Tensor& tensor, int64_t inner) {
  const size_t size = dtype_size(tensor.dtype());
  return 10 + (size > 0 ? 0.1 * static_cast<double>(size) : kObjectCost) * static_cast<double>(inner);
}

/// As kObjectCost, for work of `per_byte` nanoseconds on each byte of the strings, some of which are looked at.
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
