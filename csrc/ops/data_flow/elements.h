#pragma once

#include <utility>

#include "tensor/partial_shape.h"
#include "tensor/tensor.h"

/// What arrays and lists of tensors share.
namespace tinytf::ops {

/// Row i, without its dimension 0, in the memory of `value`.
inline Result<Tensor> row_of(const Tensor& value, int64_t i) {
  TINYTF_ASSIGN_OR_RETURN(Tensor row, value.rows(i, i + 1));
  Shape shape = value.shape();
  shape.remove_dim(0);
  return row.reshaped(std::move(shape));
}

/// What two shapes of elements say together, or TensorFlow's words for a conflict that a step meets.
inline Result<PartialShape> merge_shapes(const PartialShape& a, const PartialShape& b) {
  auto merged = a.merge(b);
  if (merged.ok()) return merged;
  if (a.rank() != b.rank()) {
    return invalid_argument("PartialTensorShape: Incompatible ranks during merge: ", a.rank(), " vs. ", b.rank());
  }
  return invalid_argument("PartialTensorShape: Incompatible shapes during merge: ", a.to_string(), " vs. ",
                          b.to_string());
}

}  // namespace tinytf::ops
