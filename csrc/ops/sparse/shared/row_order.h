#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "op/kernel.h"

namespace tinytf::ops {

/// The order that sorts `n` rows of `rank` indices; equal rows keep their order. The rows must not change concurrently:
/// inconsistent comparisons make the sort access memory out of bounds. Cancelled when the step is over.
inline Result<std::vector<int64_t>> row_order(const KernelContext& ctx, const int64_t* rows, int64_t n, int64_t rank) {
  struct StepIsOver {};
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), int64_t{0});
  uint32_t compared = 0;
  const auto comes_before = [&](int64_t a, int64_t b) {
    if (++compared % 1024 == 0 && ctx.is_over()) throw StepIsOver();
    return std::lexicographical_compare(rows + a * rank, rows + (a + 1) * rank, rows + b * rank, rows + (b + 1) * rank);
  };
  try {
    std::stable_sort(order.begin(), order.end(), comes_before);
  } catch (const StepIsOver&) {
    return Status(Code::kCancelled, "Step was cancelled");
  }
  return order;
}

}  // namespace tinytf::ops
