#pragma once

#include "tensor/tensor.h"

namespace tinytf::ops {

/// Whether a part of a tensor should share its memory instead of being copied. Small parts are cheap to copy, and a
/// copy neither keeps a large buffer alive nor prevents it from being written in place.
inline bool worth_sharing(DType dtype, const Shape& part) {
  constexpr int64_t kSmallBytes = 256;
  const size_t element = dtype_size(dtype);
  return element == 0 || part.num_elements() * static_cast<int64_t>(element) > kSmallBytes;
}

}  // namespace tinytf::ops
