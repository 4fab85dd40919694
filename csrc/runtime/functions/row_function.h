#pragma once

#include <cstddef>

#include "runtime/plan/program.h"

namespace tinytf {

/// See FunctionInstance::maps_rows. False for programs for which this is not known.
bool maps_rows(const Program& program, size_t row_arguments);

}  // namespace tinytf
