#pragma once

#include <vector>

#include "runtime/plan/program.h"

namespace tinytf {

/// Finishes the fetch of a variable. A fetched variable yields its value at the end of the step: a fetched global step
/// is the one that the step's update wrote, in whatever order nodes ran. Until then the slot has only the reference;
/// this replaces it by a copy of the value. No-op for other slots.
Status read_fetched_variable(Slot& slot, Allocator& allocator);

/// As read_fetched_variable, for all fetches of a program. No node may be running.
Status read_fetched_variables(const Program& program, std::vector<Slot>& slots, Allocator& allocator);

}  // namespace tinytf
