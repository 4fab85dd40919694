#pragma once

#include <cstddef>
#include <cstdint>

namespace tinytf {

/// An implementation of CRC-32C: returns the state after `bytes` more bytes. The state is the complement of the
/// checksum.
using Crc32cWay = uint32_t (*)(const unsigned char* next, size_t bytes, uint32_t state);

}  // namespace tinytf
