#pragma once

#include "op/shape_context.h"
#include "tensor/tensor.h"

/// Shared by ops that take SparseTensors as three inputs: indices [n, rank], values [n], shape [rank].
namespace tinytf::ops {

/// Checks that indices and values have the shapes of a SparseTensor of this rank; the values of the indices are not
/// checked.
inline Status check_sparse_parts(const Tensor& indices, const Tensor& values, int64_t rank) {
  if (values.rank() != 1) return invalid_argument("vals must be a vec, but got: ", values.shape().to_string());
  if (indices.rank() > 0 && indices.dim(0) != values.dim(0)) {
    return invalid_argument("indices and values rows (indexing dimension) must match. (indices = ", indices.dim(0),
                            ", values = ", values.dim(0), ")");
  }
  if (indices.rank() != 2) return invalid_argument("indices must be a matrix, but got: ", indices.shape().to_string());
  if (indices.dim(1) != rank) return invalid_argument("Order length must be SparseTensor rank.");
  return Status();
}

/// Sizes of a SparseTensor that shape inference knows.
struct SparseParts {
  int64_t count = kUnknownDim;
  int64_t rank = kUnknownDim;
};

/// Infers the sizes from the inputs `first`, `first` + `step` and `first` + 2 * `step`; an error if they contradict one
/// another.
inline Result<SparseParts> inferred_sparse_parts(const ShapeContext& c, int first, int step = 1) {
  PartialShape indices, values, shape;
  TINYTF_RETURN_IF_ERROR(c.with_rank(first, 2, &indices));
  TINYTF_RETURN_IF_ERROR(c.with_rank(first + step, 1, &values));
  TINYTF_RETURN_IF_ERROR(c.with_rank(first + 2 * step, 1, &shape));
  SparseParts parts;
  TINYTF_ASSIGN_OR_RETURN(parts.count, merge_dims(indices.dim(0), values.dim(0)));
  TINYTF_ASSIGN_OR_RETURN(parts.rank, merge_dims(indices.dim(1), shape.dim(0)));
  return parts;
}

}  // namespace tinytf::ops
