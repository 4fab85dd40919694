#pragma once

#include <utility>

#include "op/common_shapes.h"
#include "ops/sparse/shared/sparse_value.h"

/// Shared by ops whose inputs and outputs are SparseTensors of three parts.
namespace tinytf::ops {

/// Checks that inputs 0 to 2 may be a SparseTensor.
inline Status check_sparse_inputs(const ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  return c.with_rank(2, 1);
}

/// Shape function: outputs 0 to 2 are a SparseTensor with unknown sizes.
inline Status sparse_outputs(ShapeContext& c) {
  c.set_output(0, PartialShape({kUnknownDim, kUnknownDim}));
  c.set_output(1, PartialShape({kUnknownDim}));
  c.set_output(2, PartialShape({kUnknownDim}));
  return Status();
}

/// InvalidArgument unless a SparseTensor with this shape vector has more than one dimension.
inline Status check_splittable(const Tensor& shape) {
  if (shape.dim(0) > 1) return Status();
  return invalid_argument("Rank of input SparseTensor should be > 1, but saw rank: ", shape.dim(0));
}

inline Status set_sparse_outputs(KernelContext& ctx, SparseValue sparse) {
  TINYTF_ASSIGN_OR_RETURN(Tensor * shape, ctx.allocate_output(2, Shape({sparse.rank()})));
  std::copy(sparse.shape.begin(), sparse.shape.end(), shape->data<int64_t>());
  ctx.set_output(0, std::move(sparse.indices));
  ctx.set_output(1, std::move(sparse.values));
  return Status();
}

}  // namespace tinytf::ops
