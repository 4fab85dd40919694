#pragma once

#include "runtime/plan/program.h"

namespace tinytf {

/// Says to the kernels that a new program has to itself which of their inputs are constants in all of its steps.
void note_constant_inputs(const Program& program);

}  // namespace tinytf
