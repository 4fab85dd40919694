#pragma once

#include <cstdint>
#include <string>

#include "tensor/tensor.h"

namespace tinytf {

/// What a tensor of numbers holds: how many NaNs and infinities, and between which bounds the other elements lie.
/// Complex elements count as two numbers.
struct ValueRange {
  int64_t nans = 0;
  int64_t infinities = 0;
  int64_t finite = 0;
  double least = 0;  ///< of the finite ones, if there are any
  double greatest = 0;

  /// "in [-1, 4]", "all 0", "in [0, 1] and 2 NaN", "empty".
  std::string summary() const;
};

/// Whether no element is a NaN or an infinity; true for types that have none. Reads the tensor once.
bool all_finite(const Tensor& tensor);

/// Integers and booleans too; empty for strings, resources and the like.
ValueRange value_range(const Tensor& tensor);

}  // namespace tinytf
