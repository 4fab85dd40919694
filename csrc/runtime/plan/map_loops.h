#pragma once

#include "runtime/plan/code.h"

namespace tinytf {

/// Finds the loops of a program whose iterations may run in any order, and says so in `CodeLoop::map`; of loops within
/// one another the outermost. The program's nodes, slots and code are final, but for units.
void find_map_loops(const Program& program, ProgramCode& code);

}  // namespace tinytf
