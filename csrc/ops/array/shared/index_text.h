#pragma once

#include "tensor/tensor.h"

namespace tinytf::ops {

/// The multi-index of element `i` of a tensor of this shape, for messages: "[1,0]"; "" for a scalar.
inline std::string index_text(const Shape& shape, int64_t i) {
  if (shape.rank() == 0) return "";
  std::string text = "]";
  for (int d = shape.rank() - 1; d >= 0; --d) {
    text = str_cat(d > 0 ? "," : "[", i % shape.dim(d), text);
    i /= shape.dim(d);
  }
  return text;
}

/// "indices[1,0] = 7 is not in [0, 5)".
inline Status bad_index(const Tensor& indices, int64_t i, int64_t limit) {
  return invalid_argument("indices", index_text(indices.shape(), i), " = ", indices.int_at(i), " is not in [0, ", limit,
                          ")");
}

}  // namespace tinytf::ops
