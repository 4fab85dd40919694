#pragma once

#include <cstdint>

namespace tinytf::kernels {

struct ShapeRef {
  const int64_t* dims;
  int rank;
};

/// Strides of two or three contiguous operands over their common broadcast shape. Dimensions of 1 are dropped and
/// neighboring dimensions with one pattern are merged, so two operands of one shape always give rank 1 (scalars rank
/// 0).
struct BroadcastPlan {
  static constexpr int kMaxRank = 8;
  static constexpr int kMaxOperands = 3;

  int rank = 0;
  int operands = 0;
  int64_t size = 0;                         // Elements of the result.
  int64_t dims[kMaxRank];                   // Outermost first.
  int64_t strides[kMaxOperands][kMaxRank];  // In elements, 0 where broadcast.

  /// Stride of an operand along the last dimension: 0 or 1.
  int64_t inner_stride(int operand) const { return rank == 0 ? 0 : strides[operand][rank - 1]; }
};

enum class BroadcastResult : uint8_t { kOk, kIncompatible, kTooManyDimensions };
/// Plans by NumPy's rules, for 2 or 3 shapes. kTooManyDimensions if more than kMaxRank dimensions remain after merging.
BroadcastResult make_broadcast_plan(const ShapeRef* shapes, int count, BroadcastPlan* plan);

}  // namespace tinytf::kernels
