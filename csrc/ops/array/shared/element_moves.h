#pragma once

#include <numeric>

#include "kernels/table.h"
#include "op/kernel.h"
#include "ops/object_cost.h"

namespace tinytf::ops {

/// Approximate cost in nanoseconds of moving an element that is not contiguous with its neighbors.
inline constexpr double kMoveCost = 2;

/// Runs `move(src, dst, size)`, which moves elements of `size` bytes from an array shaped like `src` to one shaped like
/// `dst`, for tensors of any dtype. The loops handle plain bytes only, so for strings and handles `move` first runs on
/// element indices, and the objects are then copied by these indices. Elements of `dst` whose index is not written, or
/// is -1, keep their value.
template <class Move>
Status move_elements(const KernelContext& ctx, const Tensor& src, Tensor& dst, Move move) {
  if (const size_t size = dtype_size(src.dtype())) {
    move(src.raw(), dst.raw(), size);
    return Status();
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor numbers, ctx.allocate(DType::kInt64, src.shape()));
  TINYTF_ASSIGN_OR_RETURN(Tensor moved, ctx.allocate(DType::kInt64, dst.shape()));
  const int64_t n = dst.num_elements();
  int64_t* from = moved.data<int64_t>();
  std::iota(numbers.data<int64_t>(), numbers.data<int64_t>() + numbers.num_elements(), int64_t{0});
  std::fill(from, from + n, int64_t{-1});
  move(static_cast<const void*>(numbers.raw()), moved.raw(), sizeof(int64_t));
  ctx.parallel().run(n, 1, kObjectCost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (from[i] >= 0) copy_elements(src, from[i], dst, i, 1);
    }
  });
  return Status();
}

/// Zero bytes, as many as the largest element has: the zero of every dtype for loops that take a pointer to one
/// element.
alignas(16) inline constexpr char kZeroElement[16] = {};

}  // namespace tinytf::ops
