#pragma once

#include <vector>

#include "runtime/plan/program.h"

namespace tinytf {

/// What is fetched of a variable itself is what the whole step leaves in it: a fetched step number is the one that the
/// step's update wrote, whatever ran first. So its slot has no value but the reference until the step is over; this
/// makes a copy of the value. Other slots stay as they are.
Status read_fetched_variable(Slot& slot, Allocator& allocator);

/// All of a program's, when no node runs any more.
Status read_fetched_variables(const Program& program, std::vector<Slot>& slots, Allocator& allocator);

}  // namespace tinytf
