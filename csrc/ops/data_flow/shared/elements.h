#pragma once

#include <utility>

#include "tensor/partial_shape.h"
#include "tensor/tensor.h"

/// Helpers shared by tensor arrays and tensor lists.
namespace tinytf::ops {

/// Row i of `value`, without dimension 0, sharing its memory.
inline Result<Tensor> row_of(const Tensor& value, int64_t i) {
  TINYTF_ASSIGN_OR_RETURN(Tensor row, value.rows(i, i + 1));
  Shape shape = value.shape();
  shape.remove_dim(0);
  return row.reshaped(std::move(shape));
}

/// Merges two element shapes; the error of a conflict at run time has TensorFlow's text.
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
