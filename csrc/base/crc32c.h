#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/crc32c_way.h"

namespace tinytf {

/// Returns the CRC-32C (Castagnoli) of the `bytes` bytes at `data`, which follow data with the checksum `before` (0 if
/// no data precedes).
uint32_t crc32c(const void* data, size_t bytes, uint32_t before = 0);
/// All implementations that this processor supports, fastest first. crc32c() uses the first one.
std::vector<Crc32cWay> crc32c_ways();
/// Returns the checksum of two concatenated pieces of data with the checksums `before` and `behind`; the second piece
/// has `bytes` bytes.
uint32_t joined_crc32c(uint32_t before, uint32_t behind, uint64_t bytes);

/// Masks a checksum for storage in a file, because the CRC of data that contains its own CRC detects errors poorly.
inline uint32_t mask_crc(uint32_t crc) { return (crc >> 15 | crc << 17) + 0xa282ead8; }
inline uint32_t unmask_crc(uint32_t masked) {
  const uint32_t turned = masked - 0xa282ead8;
  return turned >> 17 | turned << 15;
}
inline uint32_t masked_crc32c(const void* data, size_t bytes) { return mask_crc(crc32c(data, bytes)); }

}  // namespace tinytf
