#pragma once

#include <vector>

#include "op/kernel.h"

namespace tinytf::ops {

/// A SparseTensor as kernels pass it on. All of int64 but the values.
struct SparseValue {
  Tensor indices;              ///< [n, rank]
  Tensor values;               ///< [n]
  std::vector<int64_t> shape;  ///< rank sizes

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
};

/// Three inputs, from `first` on, that are to be a SparseTensor: InvalidArgument unless they are a matrix and vectors.
Status check_sparse_ranks(const KernelContext& ctx, int first);
/// The SparseTensor of three inputs, which shares their memory. InvalidArgument unless they have such shapes.
Result<SparseValue> read_sparse(const KernelContext& ctx, int first);

/// InvalidArgument unless indices are within the shape, ascending and different from one another. Cancelled when the
/// step is over.
Status check_order(const KernelContext& ctx, const SparseValue& sparse);

/// The rows of a SparseTensor that is in order: as many as its shape says, one dimension less each. InvalidArgument
/// unless it has two dimensions at least.
Result<std::vector<SparseValue>> split_rows(const KernelContext& ctx, const SparseValue& sparse);

/// One dimension more, the first, in which the SparseTensors stand one after the other; other sizes are the largest of
/// theirs. All have one type and rank, which the caller has seen to.
Result<SparseValue> joined_rows(const KernelContext& ctx, const std::vector<SparseValue>& rows);

}  // namespace tinytf::ops
