#pragma once

#include <deque>
#include <vector>

#include "op/kernel.h"

namespace tinytf::ops {

/// A SparseTensor. Everything except the values is int64.
struct SparseValue {
  Tensor indices;              ///< [n, rank]
  Tensor values;               ///< [n]
  std::vector<int64_t> shape;  ///< one size per dimension

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
};

/// InvalidArgument unless the three inputs from `first` on are a matrix and two vectors.
Status check_sparse_ranks(const KernelContext& ctx, int first);
/// The SparseTensor in the three inputs from `first` on, sharing their memory. InvalidArgument unless their shapes fit.
Result<SparseValue> read_sparse(const KernelContext& ctx, int first);

/// InvalidArgument unless the indices are within the shape, sorted and unique. Cancelled when the step is over.
Status check_order(const KernelContext& ctx, const SparseValue& sparse);

/// Splits a sorted SparseTensor into its rows along dimension 0, each with one dimension less. InvalidArgument unless
/// it has at least two dimensions. The shape alone decides how many rows there are: allocate an output of as many
/// elements before, which fails if memory is exhausted.
Result<std::deque<SparseValue>> split_rows(const KernelContext& ctx, const SparseValue& sparse);

/// Stacks SparseTensors along a new first dimension; each other size is the largest one among the inputs. The caller
/// has checked that all have the same dtype and rank.
Result<SparseValue> joined_rows(const KernelContext& ctx, const std::vector<SparseValue>& rows);

}  // namespace tinytf::ops
