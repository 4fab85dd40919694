#include "io/byte_order.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace tinytf {

bool processor_is_big_endian() {
  const uint16_t one = 1;
  char first = 0;
  std::memcpy(&first, &one, 1);
  return first == 0;
}

void swap_bytes(void* elements, size_t bytes, DType dtype) {
  const size_t number = dtype_size(dtype) / (is_complex(dtype) ? 2 : 1);
  if (number < 2) return;
  auto* at = static_cast<char*>(elements);
  for (const char* end = at + bytes; at < end; at += number) std::reverse(at, at + number);
}

}  // namespace tinytf
