#pragma once

#include <cstdint>
#include <string>

#include "tensor/tensor.h"

namespace tinytf {

/// Statistics of a numeric tensor: the number of NaNs and infinities, and the range of the other elements. A complex
/// element counts as two numbers.
struct ValueRange {
  int64_t nans = 0;
  int64_t infinities = 0;
  int64_t finite = 0;
  double least = 0;  ///< least and greatest finite element; 0 if there is none
  double greatest = 0;

  /// Text such as "in [-1, 4]", "all 0", "in [0, 1] and 2 NaN" or "empty".
  std::string summary() const;
};

/// Whether no element is a NaN or an infinity; true for dtypes that have no such values. Reads the tensor once.
bool all_finite(const Tensor& tensor);

/// Accepts integers and booleans too; returns an empty range for strings, resources and other non-numeric dtypes.
ValueRange value_range(const Tensor& tensor);

}  // namespace tinytf
