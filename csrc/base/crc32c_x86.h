#pragma once

#include <vector>

#include "base/crc32c.h"

namespace tinytf {

/// The ways of instructions that this processor has, the fastest one first; none on others than x86.
std::vector<Crc32cWay> crc32c_ways_of_x86();

}  // namespace tinytf
