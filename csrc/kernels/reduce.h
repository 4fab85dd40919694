#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"

// Reductions. Sums are trees over chunks of fixed size, so results depend neither on the number of threads nor on how
// the work is split, and the error grows with the logarithm of the length. Half and bfloat16 accumulate in float.

namespace tinytf::kernels {

#define TINYTF_REDUCTIONS(X) X(kSum) X(kMean) X(kProd) X(kMax) X(kMin) X(kAll) X(kAny) X(kEuclideanNorm) X(kL2Loss)

/// kL2Loss is sum(x * x) / 2. Max and Min propagate NaN. kAll and kAny take bool only, kL2Loss floating types only.
/// Nothing to reduce gives 0, NaN (mean of floats; 0 for integers), 1, lowest (-inf), highest (inf), true, false, 0, 0.
#define TINYTF_X(name) name,
enum class Reduction : uint8_t { TINYTF_REDUCTIONS(TINYTF_X) kCount };
#undef TINYTF_X

/// The loops of one reduction and type, on accumulators of `acc_size` bytes (float for half, 64 bits for Mean of
/// integers, …).
struct ReduceLoop {
  /// acc[i] = identity.
  void (*init)(void* acc, int64_t n) = nullptr;
  /// *acc = *acc + tree of `n` contiguous elements.
  void (*row)(const void* x, int64_t n, void* acc) = nullptr;
  /// acc[j] = acc[j] + tree over i < count of rows[i][j], for j < n; count <= kMaxRows.
  void (*columns)(const void* const* rows, int count, int64_t n, void* acc) = nullptr;
  /// acc[j] = acc[j] + other[j].
  void (*merge)(const void* other, int64_t n, void* acc) = nullptr;
  /// out[j] = result of acc[j], which covers `count` elements.
  void (*finish)(const void* acc, int64_t n, int64_t count, void* out) = nullptr;
  uint8_t in_size = 0, acc_size = 0, out_size = 0;

  static constexpr int kMaxRows = 8;
  explicit operator bool() const { return init != nullptr; }
};

/// Index along the middle axis of [outer, n, inner] where the value is largest (smallest); the first of equals, NaNs
/// never win, 0 if nothing does. `out` [outer, inner] of int64 or int32; n >= 1. Handles outer indices in [begin, end).
using ArgLoop = void (*)(const void* x, int64_t begin, int64_t end, int64_t n, int64_t inner, bool out_is_int64,
                         void* out, Parallel&);

struct ReduceTable {
  ReduceLoop loops[static_cast<int>(Reduction::kCount)][kDTypeCount];
  ArgLoop arg_max[kDTypeCount];
  ArgLoop arg_min[kDTypeCount];

  /// Indexed by the input's type; the loop is empty if TensorFlow's CPU op does not support the type.
  const ReduceLoop& loop(Reduction op, DType dtype) const {
    return loops[static_cast<int>(op)][static_cast<int>(dtype)];
  }
};

/// A shape and the axes to reduce, as alternating kept and reduced dimensions (ones are dropped, neighbors merged).
struct ReducePlan {
  static constexpr int kMaxRank = 16;

  int rank = 0;
  bool first_reduced = false;  // dims[0] is reduced, dims[1] kept, …
  int64_t dims[kMaxRank];
  int64_t out_size = 1;      // Product of the kept dimensions.
  int64_t reduced_size = 1;  // Product of the reduced dimensions.

  bool reduced(int i) const { return (i % 2 == 0) == first_reduced; }
};

/// `axes`: bit i set if dimension i is reduced; rank <= 32. False if more than kMaxRank dimensions remain.
bool make_reduce_plan(const int64_t* dims, int rank, uint32_t axes, ReducePlan* plan);

/// out: plan.out_size elements, contiguous, in the order of the kept dimensions; not overlapping `x`.
void run_reduce(const ReduceLoop& loop, const ReducePlan& plan, const void* x, void* out, Parallel& parallel);

/// ArgMax, ArgMin over the middle axis of [outer, n, inner], n >= 1; `out` is int64 or, as `dtype_out` says, int32.
void run_arg(ArgLoop loop, DType dtype, const void* x, int64_t outer, int64_t n, int64_t inner, DType dtype_out,
             void* out, Parallel& parallel);

}  // namespace tinytf::kernels
