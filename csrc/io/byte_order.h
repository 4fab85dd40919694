#pragma once

#include <cstddef>

#include "base/dtype.h"

namespace tinytf {

bool processor_is_big_endian();

/// Turns the bytes of each number around; `bytes` is a multiple of an element's size.
void swap_bytes(void* elements, size_t bytes, DType dtype);

}  // namespace tinytf
