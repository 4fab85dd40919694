#pragma once

#include "runtime/plan/bytecode.h"

namespace tinytf {

/// Finds the loops of a program with independent iterations, and sets their `BytecodeLoop::map`. Of nested loops only
/// the outermost one gets a map. The program's nodes, slots and code must be final; units need not be.
void find_map_loops(const Program& program, Bytecode& code);

}  // namespace tinytf
