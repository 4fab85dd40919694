#pragma once

#include <cstdint>

#include "tensor/tensor.h"

namespace tinytf {

/// A hash of dtype, shape and elements: equal for equal bits, on every machine of the same byte order. Strings are
/// hashed by their contents; resource handles and variants are not hashed, only their shape is. 0 for an invalid
/// tensor. Not cryptographic.
uint64_t digest(const Tensor& tensor);

}  // namespace tinytf
