#pragma once

#include <cstddef>
#include <cstdint>

namespace tinytf {

/// The CRC-32C (Castagnoli) of some bytes that follow others whose checksum is `before`: 0 where nothing comes before.
uint32_t crc32c(const void* data, size_t bytes, uint32_t before = 0);

/// What files store of a checksum, so that the checksum of data that holds checksums is none of a kind.
inline uint32_t mask_crc(uint32_t crc) { return (crc >> 15 | crc << 17) + 0xa282ead8; }
inline uint32_t masked_crc32c(const void* data, size_t bytes) { return mask_crc(crc32c(data, bytes)); }

}  // namespace tinytf
