#pragma once

#include <utility>
#include <vector>

#include "graph/passes/guards.h"
#include "runtime/plan/code.h"

namespace tinytf {

/// Of a program whose code is made, and whose units have their nodes and code: what units read of one another, who
/// writes which slot, and who waits for whom; that is who reads what another one writes, and `waits`: pairs (unit,
/// unit that waits for it).
void make_code_units(Program& program, ProgramCode& code, std::vector<std::pair<int32_t, int32_t>> waits);

/// Whether of any two of these nodes only one runs, or one waits for the other. They are of one unit, in rising order.
bool run_in_turn(const Subgraph& subgraph, const Frames& frames, Guards& guards, const std::vector<int>& nodes);

}  // namespace tinytf
