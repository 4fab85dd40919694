#pragma once

#include <vector>

#include "runtime/step/interpreter.h"
#include "runtime/step/scheduler.h"

namespace tinytf {

/// Runs one step of a plan. The calling thread runs it alone, in the plan's order, unless nodes may wait or the plan's
/// profile favors threads; kernels may always split their loops over `services.parallel`. `feeds` are moved from. On
/// success `fetches` has the fetched values; on failure the first error is returned, with the node's tag. A step on
/// several threads succeeds if all of its nodes finished although the time was up. In any case, every node that began
/// has ended, and `memory` has no values of the step except the plan's constants.
Status execute(Plan& plan, const StepServices& services, StepSlots& memory, StepThreads threads,
               StepStopCheck& stop_check, std::vector<Tensor>& feeds, std::vector<Tensor>& fetches);

}  // namespace tinytf
