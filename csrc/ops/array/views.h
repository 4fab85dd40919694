#pragma once

#include "tensor/tensor.h"

namespace tinytf::ops {

/// Whether a part of a tensor should rather share its memory than be copied: small parts are as cheap to copy, and do
/// not keep a large buffer alive or from being written in place.
inline bool worth_sharing(DType dtype, const Shape& part) {
  constexpr int64_t kSmallBytes = 256;
  const size_t element = dtype_size(dtype);
  return element == 0 || part.num_elements() * static_cast<int64_t>(element) > kSmallBytes;
}

}  // namespace tinytf::ops
