#pragma once

#include <utility>
#include <vector>

#include "graph/passes/loops.h"
#include "runtime/plan/bytecode.h"

namespace tinytf {

/// Completes the units of a program whose code is final: the slots that they read of each other, the writer of each
/// slot, and the consumers of each unit. A unit waits for the units whose slots it reads, and as `waits` says: pairs
/// (unit, unit that waits for it).
void make_bytecode_units(Program& program, Bytecode& code, std::vector<std::pair<int32_t, int32_t>> waits);

/// Whether, of any two of these nodes, at most one runs or one depends on the other. The nodes belong to one unit and
/// are in ascending order.
bool run_in_turn(const ControlStructure& control, const std::vector<int>& nodes);

}  // namespace tinytf
