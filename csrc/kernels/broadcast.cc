#include <cstring>

#include "kernels/elementwise.h"

namespace tinytf::kernels {

namespace {

/// Extent of output dimension `d` (from the last) in a shape; missing leading dimensions are 1.
int64_t extent(const ShapeRef& shape, int d) { return d < shape.rank ? shape.dims[shape.rank - 1 - d] : 1; }

}  // namespace

BroadcastResult make_broadcast_plan(const ShapeRef* shapes, int count, BroadcastPlan* plan) {
  constexpr int kMaxRank = BroadcastPlan::kMaxRank;
  int rank = 0;
  for (int i = 0; i < count; ++i) rank = shapes[i].rank > rank ? shapes[i].rank : rank;

  // From the last dimension to the first, so `dims` and `strides` are reversed; `dense` is each operand's current
  // stride.
  int64_t dims[kMaxRank];
  int64_t strides[BroadcastPlan::kMaxOperands][kMaxRank];
  int64_t dense[BroadcastPlan::kMaxOperands] = {1, 1, 1};
  int merged = 0;
  plan->operands = count;
  plan->size = 1;
  bool too_many = false;
  for (int d = 0; d < rank; ++d) {
    int64_t common = 1;
    for (int i = 0; i < count; ++i) {
      const int64_t e = extent(shapes[i], d);
      if (e == 1) continue;
      if (common != 1 && e != common) return BroadcastResult::kIncompatible;
      common = e;
    }
    plan->size *= common;
    if (common == 1 || too_many) continue;
    bool same_pattern = merged > 0;
    for (int i = 0; i < count && same_pattern; ++i) {
      const bool moves = extent(shapes[i], d) != 1;
      same_pattern = moves == (strides[i][merged - 1] != 0);
    }
    if (same_pattern) {
      dims[merged - 1] *= common;
    } else if (merged == kMaxRank) {
      too_many = true;
      continue;
    } else {
      dims[merged] = common;
      for (int i = 0; i < count; ++i) strides[i][merged] = extent(shapes[i], d) == 1 ? 0 : dense[i];
      ++merged;
    }
    for (int i = 0; i < count; ++i) dense[i] *= extent(shapes[i], d);
  }
  if (too_many) return BroadcastResult::kTooManyDimensions;
  plan->rank = merged;
  for (int d = 0; d < merged; ++d) {
    plan->dims[d] = dims[merged - 1 - d];
    for (int i = 0; i < count; ++i) plan->strides[i][d] = strides[i][merged - 1 - d];
  }
  return BroadcastResult::kOk;
}

}  // namespace tinytf::kernels
