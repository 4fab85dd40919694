#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"

namespace tinytf::kernels {

/// y[i] = x[i] converted. `y` may be `x` if the types have one size. Floats are truncated to integers: for the types of
/// 8 and 16 bits to int32, and for uint32 to int64, which is then wrapped to the type. NaN and out-of-range values give
/// the lowest integer of the type truncated to, as x86's instructions do. Integers wrap, half and bfloat16 round to
/// nearest even, complex gives its real part, bool is x != 0.
using CastLoop = void (*)(const void* x, void* y, int64_t n);

struct CastTable {
  // [source][destination]: all numeric types and bool, including equal types.
  CastLoop loops[kDTypeCount][kDTypeCount];
  /// The `Truncate` attribute: float or double to half or bfloat16, dropping the bits that do not fit.
  CastLoop truncate[kDTypeCount][kDTypeCount];

  CastLoop loop(DType source, DType destination) const {
    return loops[static_cast<int>(source)][static_cast<int>(destination)];
  }
};

void run_cast(CastLoop loop, DType source, DType destination, const void* x, void* y, int64_t n, Parallel& parallel);

}  // namespace tinytf::kernels
