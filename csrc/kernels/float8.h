#pragma once

#include "base/dtype.h"

#include <cstdint>

namespace tinytf::kernels {

/// y[i] = x[i] exactly. `type` is one of the float8 types.
void float8_to_float(DType type, const uint8_t* x, float* y, int64_t n);

/// y[i] = x[i] rounded once, to nearest even. Values that are too large, and infinity, give infinity if the type has
/// one, else NaN; types without a negative zero give zero.
void float8_from_double(DType type, const double* x, uint8_t* y, int64_t n);

}  // namespace tinytf::kernels
