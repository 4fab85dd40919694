#pragma once

#include <cstddef>
#include <cstdint>

namespace tinytf {

/// The CRC-32C (Castagnoli) of some bytes that follow others whose checksum is `before`: 0 where nothing comes before.
uint32_t crc32c(const void* data, size_t bytes, uint32_t before = 0);

}  // namespace tinytf
