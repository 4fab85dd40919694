#pragma once

#include "runtime/plan/program.h"

namespace tinytf {

/// Tells kernels that belong to the program alone (not to the session) which of their inputs are constants.
void note_constant_inputs(const Program& program);

}  // namespace tinytf
