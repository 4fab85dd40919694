#pragma once

#include <vector>

#include "base/crc32c_way.h"

namespace tinytf {

/// CRC-32C implementations based on instructions of this x86 processor, fastest first. Empty on other architectures.
std::vector<Crc32cWay> crc32c_ways_of_x86();

}  // namespace tinytf
