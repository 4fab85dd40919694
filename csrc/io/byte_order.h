#pragma once

#include <cstddef>

#include "base/dtype.h"

namespace tinytf {

bool processor_is_big_endian();

/// Reverses the bytes of each number; `bytes` must be a multiple of the element size.
void swap_bytes(void* elements, size_t bytes, DType dtype);

}  // namespace tinytf
