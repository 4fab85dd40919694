#pragma once

#include "op/shape_context.h"
#include "ops/array/shared/element_moves.h"
#include "ops/array/shared/index_text.h"

namespace tinytf::ops {

/// Sets output 0, of shape params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:], to the slices
/// gathered along `axis`. Requires 0 <= batch_dims <= axis < params.rank.
inline Status gather_along(KernelContext& ctx, const Tensor& params, const Tensor& indices, int axis, int batch_dims) {
  for (int d = 0; d < batch_dims; ++d) {
    if (params.dim(d) != indices.dim(d)) {
      return invalid_argument("params.shape[", d, "]: ", params.dim(d), " should be equal to indices.shape[", d,
                              "]: ", indices.dim(d));
    }
  }
  Shape shape;
  for (int d = 0; d < axis; ++d) shape.add_dim(params.dim(d));
  for (int d = batch_dims; d < indices.rank(); ++d) shape.add_dim(indices.dim(d));
  for (int d = axis + 1; d < params.rank(); ++d) shape.add_dim(params.dim(d));
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
  if (out->num_elements() == 0) return Status();
  const Shape& p = params.shape();
  const int64_t batch = p.product(0, batch_dims), outer = p.product(batch_dims, axis), limit = p.dim(axis);
  const int64_t inner = p.product(axis + 1, p.rank());
  const kernels::Indices list{indices.raw(), indices.dtype(), indices.num_elements()};
  int64_t bad = kernels::kAllInRange;
  TINYTF_RETURN_IF_ERROR(move_elements(ctx, params, *out, [&](const void* src, void* dst, size_t bytes) {
    bad = kernels::table().gather.gather(src, batch, outer, limit, inner * static_cast<int64_t>(bytes), list, dst,
                                         ctx.parallel());
  }));
  return bad == kernels::kAllInRange ? Status() : bad_index(indices, bad, limit);
}

/// Shape of the result of gather_along; an `axis` of -1 is unknown.
inline Result<PartialShape> gather_shape(const PartialShape& params, const PartialShape& indices, int axis,
                                         int batch_dims) {
  if (!params.known_rank() || !indices.known_rank()) return PartialShape();
  if (axis < 0) return PartialShape::unknown_of_rank(params.rank() - 1 + indices.rank() - batch_dims);
  if (params.rank() <= axis) {
    return invalid_argument("Shape must be at least rank ", axis + 1, " but is rank ", params.rank());
  }
  return params.slice(0, axis).concatenate(indices.slice(batch_dims)).concatenate(params.slice(axis + 1));
}

/// Converts `coordinates` [..., depth] to row numbers within the first `depth` dimensions `dims`. `*bad` is set to the
/// first row of coordinates that is out of range, or to kAllInRange.
inline Result<Tensor> coordinate_rows(KernelContext& ctx, const Tensor& coordinates, const Dims& dims, int64_t* bad) {
  const int rank = coordinates.rank();
  const int64_t rows = coordinates.shape().product(0, rank - 1);
  const auto depth = static_cast<int>(coordinates.dim(rank - 1));
  TINYTF_ASSIGN_OR_RETURN(Tensor flat, ctx.allocate(DType::kInt64, Shape({rows})));
  *bad = kernels::kAllInRange;
  if (depth == 0) {
    std::fill(flat.data<int64_t>(), flat.data<int64_t>() + rows, int64_t{0});
  } else {
    *bad = kernels::table().gather.flatten_nd({coordinates.raw(), coordinates.dtype(), rows}, depth, dims.data(),
                                              flat.data<int64_t>(), ctx.parallel());
  }
  return flat;
}

/// "indices[3] = [1, 9] does not index into {what} [2,2]".
inline Status bad_coordinates(const Tensor& coordinates, int64_t row, const char* what, const Shape& shape) {
  Shape outer = coordinates.shape();
  const int64_t depth = outer.dim(outer.rank() - 1);
  outer.remove_dim(outer.rank() - 1);
  std::string values;
  for (int64_t k = 0; k < depth; ++k) values += str_cat(k > 0 ? ", " : "", coordinates.int_at(row * depth + k));
  return invalid_argument("indices", index_text(outer, row), " = [", values, "] does not index into ", what, " ",
                          shape.to_string());
}

/// Sets output 0 to the slices of `params` at the coordinates in the last dimension of `indices`.
inline Status gather_nd(KernelContext& ctx, const Tensor& params, const Tensor& indices) {
  if (params.rank() < 1) return invalid_argument("params must be at least a vector");
  if (indices.rank() < 1) return invalid_argument("indices must be at least a vector");
  const int64_t depth = indices.dim(indices.rank() - 1);
  if (depth > params.rank()) {
    return invalid_argument("index innermost dimension length must be <= params rank; saw: ", depth, " vs. ",
                            params.rank());
  }
  const auto split = static_cast<int>(depth);
  Shape shape;
  for (int d = 0; d + 1 < indices.rank(); ++d) shape.add_dim(indices.dim(d));
  for (int d = split; d < params.rank(); ++d) shape.add_dim(params.dim(d));
  if (params.num_elements() == 0 && indices.shape().product(0, indices.rank() - 1) > 0) {
    return invalid_argument("Requested more than 0 entries, but params is empty.  Params shape: ",
                            params.shape().to_string());
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
  if (out->num_elements() == 0) return Status();
  int64_t bad;
  TINYTF_ASSIGN_OR_RETURN(const Tensor rows, coordinate_rows(ctx, indices, params.shape().dims(), &bad));
  if (bad != kernels::kAllInRange) return bad_coordinates(indices, bad, "param shape", params.shape());
  const int64_t limit = params.shape().product(0, split), inner = params.shape().product(split, params.rank());
  return move_elements(ctx, params, *out, [&](const void* src, void* dst, size_t bytes) {
    kernels::table().gather.gather(src, 1, 1, limit, inner * static_cast<int64_t>(bytes),
                                   {rows.raw(), DType::kInt64, rows.dim(0)}, dst, ctx.parallel());
  });
}

inline Result<PartialShape> gather_nd_shape(const PartialShape& params, const PartialShape& indices) {
  if (!indices.known_rank() || indices.dim(-1) < 0 || !params.known_rank()) return PartialShape();
  if (indices.dim(-1) > params.rank()) {
    return invalid_argument("indices.shape[-1] must be <= params.rank, but saw indices shape: ", indices.to_string(),
                            " and params shape: ", params.to_string());
  }
  return indices.slice(0, indices.rank() - 1).concatenate(params.slice(static_cast<int>(indices.dim(-1))));
}

}  // namespace tinytf::ops
