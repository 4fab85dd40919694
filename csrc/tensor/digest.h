#pragma once

#include <cstdint>

#include "tensor/tensor.h"

namespace tinytf {

/// A hash of type, shape and elements: equal for equal bits, on every machine of this byte order. Strings count by
/// their contents; of handles only that they are there. 0 for no value. Not for adversaries.
uint64_t digest(const Tensor& tensor);

}  // namespace tinytf
