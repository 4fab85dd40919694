#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tinytf {

/// The CRC-32C (Castagnoli) of some bytes that follow others whose checksum is `before`: 0 where nothing comes before.
uint32_t crc32c(const void* data, size_t bytes, uint32_t before = 0);
/// How the state of a checksum, its complement, is computed after more bytes.
using Crc32cWay = uint32_t (*)(const unsigned char* next, size_t bytes, uint32_t state);
/// All ways that this processor has, the fastest one, which is taken, first.
std::vector<Crc32cWay> crc32c_ways();
/// The checksum of bytes whose checksum is `before`, followed by `bytes` others whose own checksum is `behind`.
uint32_t joined_crc32c(uint32_t before, uint32_t behind, uint64_t bytes);

/// What files store of a checksum, so that the checksum of data that holds checksums is none of a kind.
inline uint32_t mask_crc(uint32_t crc) { return (crc >> 15 | crc << 17) + 0xa282ead8; }
inline uint32_t unmask_crc(uint32_t masked) {
  const uint32_t turned = masked - 0xa282ead8;
  return turned >> 17 | turned << 15;
}
inline uint32_t masked_crc32c(const void* data, size_t bytes) { return mask_crc(crc32c(data, bytes)); }

}  // namespace tinytf
