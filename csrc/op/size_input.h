#pragma once

#include "op/shape_context.h"

namespace tinytf::shapes {

/// The size that scalar input i holds; kUnknownDim if its value is unknown. As in TensorFlow, it leaves it to the
/// kernel to check the rank of an input whose value is unknown.
inline Result<int64_t> size_input(ShapeContext& c, int i) {
  const Tensor* value = c.input_tensor(i);
  if (value == nullptr) return kUnknownDim;
  if (value->rank() != 0) return invalid_argument("Input must be scalar but has rank ", value->rank());
  const int64_t size = value->int_at(0);
  if (size >= 0) return size;
  return invalid_argument("Dimension size, given by scalar input ", i, ", must be non-negative but is ", size);
}

}  // namespace tinytf::shapes
