#pragma once

#include <algorithm>

#include "op/kept_value.h"

namespace tinytf::ops {

/// Copies int32 or int64 indices to an int64 matrix with `columns` columns (scalars and vectors have one column),
/// unless the memory can be kept as it is. The result does not change concurrently, so checks of it stay valid.
inline Result<Tensor> own_places(const KernelContext& ctx, const Tensor& indices, int64_t columns) {
  const Shape shape({indices.rank() > 0 ? indices.dim(0) : 1, columns});
  if (indices.dtype() == DType::kInt64) {
    TINYTF_ASSIGN_OR_RETURN(const Tensor own, kept_value(ctx, indices));
    return own.view(0, shape);
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor own, ctx.allocate(DType::kInt64, shape));
  std::copy_n(indices.data<int32_t>(), indices.num_elements(), own.data<int64_t>());
  return own;
}

}  // namespace tinytf::ops
